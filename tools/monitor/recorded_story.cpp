#include "tools/monitor/recorded_story.hpp"

#include <algorithm>
#include <optional>
#include <variant>

#include "scenarios/live/fact_task.hpp"
#include "scenarios/live/seen/recording.hpp"

namespace rhizome::tools {

namespace live = scenarios::live;

namespace {

bool is_about(const live::LiveFact& fact, const live::Story& story,
              const std::vector<std::string>& kinds) {
  if (!story.task) return fact.peer == story.peer;
  return fact.kind < kinds.size() && live::task_of(kinds[fact.kind], fact.payload) == story.task;
}

}  // namespace

live::FoundFacts recorded_story(const std::filesystem::path& file, const live::Story& story,
                                const std::vector<std::string>& kinds) {
  constexpr std::size_t most = 1000;
  live::FoundFacts facts{.number = story.number, .whole = true};
  live::Recording all(file);
  while (std::optional<live::Recorded> told = all.next()) {
    const auto* frame = std::get_if<live::Frame>(&told->answer);
    if (frame == nullptr || told->whole || frame->run.number != story.run) continue;
    for (const live::LiveFact& fact : frame->facts.facts) {
      ++facts.searched;
      if (is_about(fact, story, kinds) && facts.facts.size() < most) facts.facts.push_back(fact);
    }
  }
  std::stable_sort(facts.facts.begin(), facts.facts.end(),
                   [](const live::LiveFact& a, const live::LiveFact& b) { return a.at < b.at; });
  return facts;
}

}  // namespace rhizome::tools
