#include "tools/commands/completion/values.hpp"

#include <algorithm>

#include "agents/scheduler.hpp"
#include "core/peer/names.hpp"
#include "scenarios/outcome/metrics.hpp"
#include "tools/commands/commands.hpp"
#include "tools/guide/guide.hpp"
#include "tools/reproduce/entry.hpp"

namespace rhizome::tools {

namespace {

using Words = std::vector<std::string>;

Words scheduler_names() { return core::names_of(agents::catalogue()); }

// Keys in the form that --set takes. Keys of repeated tables need a number, and those of resources
// a name.
Words assignments() {
  Words keys;
  for (const SectionGuide& section : guide_to_keys()) {
    if (section.heading.starts_with("[[") && !section.name.starts_with("scheduler.")) continue;
    const std::string prefix = section.heading.empty() ? "" : section.name + ".";
    for (const KeyGuide& key : section.keys)
      if (!key.name.starts_with("NAME")) keys.push_back(prefix + key.name + "=");
  }
  return keys;
}

Words section_names() { return core::names_of(guide_to_keys()); }

Words margins() {
  Words words;
  for (const std::string& metric : scenarios::metric_names()) words.push_back(metric + "=");
  return words;
}

Words result_names() { return core::names_of(all_reproductions()); }

// The words of help, and the kind that each means.
struct Placeholder {
  std::string_view word;
  std::string_view kind;
};
constexpr Placeholder placeholders[] = {{"KEY=VALUE", "key"},
                                        {"METRIC=PERCENT", "margin"},
                                        {"METRIC", "metric"},
                                        {"SCENARIO", "scenario"},
                                        {"SCHEDULER", "scheduler"},
                                        {"LABEL", "scheduler"},
                                        {"RUN", "run"},
                                        {"RESULT", "result"},
                                        {"WHAT", "topic"},
                                        {"SHELL", "shell"},
                                        {"FILE", "file"},
                                        {"DIR", "directory"}};

}  // namespace

const std::vector<ValueKind>& value_kinds() {
  using From = ValueKind::From;
  static const std::vector<ValueKind> all{
      {.name = "key", .words = assignments()},
      {.name = "margin", .words = margins()},
      {.name = "metric", .words = scenarios::metric_names()},
      {.name = "scheduler", .words = scheduler_names()},
      {.name = "result", .words = result_names()},
      {.name = "topic", .words = list_topics()},
      {.name = "section", .words = section_names()},
      {.name = "shell", .words = {"bash", "zsh", "fish"}},
      {.name = "run", .from = From::runs},
      {.name = "scenario", .from = From::files, .words = {".toml"}},
      {.name = "file", .from = From::files},
      {.name = "directory", .from = From::directories}};
  return all;
}

std::vector<const ValueKind*> kinds_of(std::string_view placeholder) {
  std::vector<const ValueKind*> kinds;
  while (!placeholder.empty()) {
    const std::size_t end = std::min(placeholder.find_first_of("|[] "), placeholder.size());
    std::string_view word = placeholder.substr(0, end);
    placeholder.remove_prefix(std::min(end + 1, placeholder.size()));
    if (word.ends_with("...")) word.remove_suffix(3);
    for (const Placeholder& known : placeholders)
      if (known.word == word)
        for (const ValueKind& kind : value_kinds())
          if (kind.name == known.kind) kinds.push_back(&kind);
  }
  return kinds;
}

}  // namespace rhizome::tools
