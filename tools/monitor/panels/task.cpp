// The panel of one task: its facts, the times between them, and the faults of the peers concerned.
#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "agents/facts.hpp"
#include "scenarios/live/fact_task.hpp"
#include "tools/monitor/panels/panel.hpp"

namespace rhizome::tools {

namespace live = scenarios::live;
using core::PeerId;

namespace {

// A line of the story: a fact about the task, or a fault of a peer concerned.
struct Step {
  core::Time at{};
  std::string text{};
  bool fault = false;
};

// The facts that the run has sent on request, and newer ones.
std::vector<live::LiveFact> facts_of_task(const Panel& panel) {
  std::vector<live::LiveFact> facts;
  const core::Time now = panel.state.frame().now;
  if (panel.known.story)
    for (const live::LiveFact& fact : panel.known.story->facts)
      if (fact.at <= now && live::task_of(kind_of(panel, fact), fact.payload) == panel.view.task)
        facts.push_back(fact);
  const std::size_t told = facts.size();
  for (const live::LiveFact& fact : panel.state.facts())
    if (live::task_of(kind_of(panel, fact), fact.payload) == panel.view.task &&
        std::find(facts.begin(), facts.begin() + static_cast<std::ptrdiff_t>(told), fact) ==
            facts.begin() + static_cast<std::ptrdiff_t>(told))
      facts.push_back(fact);
  std::stable_sort(facts.begin(), facts.end(),
                   [](const auto& a, const auto& b) { return a.at < b.at; });
  return facts;
}

std::vector<Step> faults_of(const Panel& panel, const std::set<PeerId>& peers, core::Time from,
                            core::Time until) {
  std::vector<Step> steps;
  if (const live::Plan* plan = panel.known.plan_of_run())
    for (const core::Fault& fault : plan->foreseen.faults)
      if (peers.contains(fault.peer) && fault.at >= from && fault.at <= until)
        steps.push_back({fault.at,
                         fmt::format("{:>8.3f}  {:<6} {}", core::seconds(fault.at),
                                     name_of(fault.peer), core::name_of(fault.kind)),
                         true});
  return steps;
}

bool is_kind(const Panel& panel, const live::LiveFact& fact, const core::FactInfo& info) {
  return kind_of(panel, fact) == info.name;
}

// The number of hand-overs of the task, if they were noted.
std::string hops_text(const Panel& panel, const std::vector<live::LiveFact>& facts) {
  const auto hops = std::count_if(facts.begin(), facts.end(), [&](const auto& fact) {
    return is_kind(panel, fact, agents::TaskHanded::info);
  });
  return hops == 0 ? "" : fmt::format("; {} hop{}", hops, hops == 1 ? "" : "s");
}

std::string end_text(const Panel& panel, const std::vector<live::LiveFact>& facts) {
  const bool searching = panel.known.story && !panel.known.story->whole;
  if (!panel.known.story && facts.empty()) return "asking the run...";
  if (searching) return fmt::format("searching: {} facts so far", panel.known.story->searched);
  if (facts.empty()) return "nothing was noted of it";
  const auto completed = std::find_if(facts.begin(), facts.end(), [&](const auto& fact) {
    return is_kind(panel, fact, agents::TaskCompleted::info);
  });
  if (completed != facts.end())
    return fmt::format("completed {:.3f} s after the first of these{}",
                       core::seconds(completed->at - facts.front().at), hops_text(panel, facts));
  return fmt::format("not completed; {:.3f} s since the last of these{}",
                     core::seconds(panel.state.frame().now - facts.back().at),
                     hops_text(panel, facts));
}

}  // namespace

std::string task_title(const Panel& panel) {
  return panel.view.task ? "task " + name_of(*panel.view.task) : "task";
}

void put_task(TextGrid& grid, const Panel& panel, std::size_t line, std::size_t end) {
  if (line >= end) return;
  if (!panel.view.task) {
    grid.put(1, line, "t asks which one: job and portion, as 112.3", Style::faint);
    return;
  }
  const std::vector<live::LiveFact> facts = facts_of_task(panel);
  std::vector<Step> steps;
  std::set<PeerId> peers;
  std::optional<core::Time> before;
  for (const live::LiveFact& fact : facts) {
    peers.insert(fact.peer);
    std::string text = event_line(panel, fact);
    if (before && fact.at > *before)
      text = fmt::format("{:<52} +{:.3f} s", text, core::seconds(fact.at - *before));
    before = fact.at;
    steps.push_back({fact.at, std::move(text)});
  }
  if (!facts.empty())
    for (Step& step : faults_of(panel, peers, facts.front().at, panel.state.frame().now))
      steps.push_back(std::move(step));
  std::stable_sort(steps.begin(), steps.end(),
                   [](const Step& a, const Step& b) { return a.at < b.at; });
  const std::size_t room = end - line - 1;
  for (std::size_t i = steps.size() - std::min(steps.size(), room); i < steps.size(); ++i)
    grid.put(0, line++, steps[i].text, steps[i].fault ? Style::bad : Style::plain);
  if (line < end) grid.put(1, line, end_text(panel, facts), Style::faint);
}

}  // namespace rhizome::tools
