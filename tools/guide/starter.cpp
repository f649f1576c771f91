#include "tools/guide/guide.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/compare/wording.hpp"

namespace rhizome::tools {

namespace {

constexpr std::string_view introduction =
    R"(# A first comparison: two schedulers get the same jobs on the same peers and the
# same chance. `rhizome run` with the name of this file runs it, in seconds.
#
# This is a selection. `rhizome list keys` explains every key, `rhizome list
# keys workload` those of one table; what is left out has its default. A list
# where a value stands, as in jobs = [40, 80], runs every combination.
#
# The description and the claims speak of the two schedulers below: change them
# together with the schedulers.
)";

// A table of the starter scenario, and the values in it, as TOML.
struct Part {
  std::string_view section;
  std::vector<std::pair<std::string_view, std::string_view>> values;
};

// Small enough to run in seconds, and the schedulers differ enough for the claim to hold.
std::vector<Part> parts() {
  return {{"top",
           {{"description", R"("Two schedulers on thirty peers")"},
            {"claims", R"(["organic-grid.job_messages < air-traffic.job_messages"])"}}},
          {"peers", {{"count", "30"}, {"speed_min", "0.5"}, {"speed_max", "1.0"}}},
          {"graph", {{"kind", R"("erdos-renyi")"}, {"mean_degree", "6"}}},
          {"workload", {{"jobs", "40"}, {"portions", "18"}, {"portion_time", R"("100ms")"}}},
          {"network", {{"latency", R"("lognormal")"}, {"delay", R"("10ms")"}}},
          {"engine", {{"kind", R"("virtual")"}}},
          {"run", {{"seed", "1"}, {"repetitions", "10"}}},
          {"scheduler.organic-grid", {{"use", R"("organic-grid")"}, {"max_children", "5"}}},
          {"scheduler.air-traffic", {{"use", R"("air-traffic")"}, {"leaders_per_hundred", "10"}}}};
}

template <class Guides>
const auto& named(const Guides& guides, std::string_view name) {
  const auto found =
      std::ranges::find_if(guides, [name](const auto& guide) { return guide.name == name; });
  if (found == guides.end())
    throw std::logic_error("the first scenario shows what there is not: " + std::string(name));
  return *found;
}

std::string comment(const KeyGuide& key) {
  std::string text = key.meaning + " Takes " + key.range;
  text += key.value.empty() ? "." : "; by default " + key.value + ".";
  return paragraph(text, guide_columns, "# ");
}

// `told` holds the explanations that were given above; they are not repeated.
std::string text_of(const Part& part, const std::vector<SectionGuide>& guide,
                    std::set<std::string>& told) {
  const SectionGuide& section = named(guide, part.section);
  const SectionGuide& every_scheduler = named(guide, "scheduler");
  std::string text = "\n" + paragraph(section.about, guide_columns, "# ");
  if (!section.heading.empty()) text += section.heading + "\n";
  for (const auto& [name, value] : part.values) {
    const KeyGuide& key =
        name == "use" ? named(every_scheduler.keys, name) : named(section.keys, name);
    const std::string explained = comment(key);
    if (told.insert(explained).second) text += explained;
    text.append(name).append(" = ").append(value).append("\n");
  }
  return text;
}

}  // namespace

std::string starter_scenario() {
  const std::vector<SectionGuide> guide = guide_to_keys();
  std::string text(introduction);
  std::set<std::string> told;
  for (const Part& part : parts()) text += text_of(part, guide, told);
  return text;
}

}  // namespace rhizome::tools
