// The metrics of overlays that were run to be measured.
#include <algorithm>
#include <map>
#include <optional>

#include "overlay/properties.hpp"
#include "scenarios/outcome/held_links.hpp"
#include "scenarios/outcome/metrics.hpp"

namespace rhizome::scenarios {

namespace {

// Nothing where no overlay was sampled.
std::optional<overlay::Properties> properties(const Outcome& outcome) {
  const HeldLinks held = held_links(outcome);
  if (held.links.empty()) return {};
  return overlay::properties_of(held.links, held.living);
}

// The first cycle after which peers know this share of their best neighbours, on average over all
// living peers; the last cycle plus one if that never happened.
double cycles_until(const Outcome& outcome, double share) {
  // By cycle: the sum, and the number of peers.
  std::map<std::uint32_t, std::pair<double, double>> cycles;
  for (const auto& noted : outcome.facts.of<agents::NeighboursRight>()) {
    cycles[noted.fact.cycle].first += noted.fact.share;
    ++cycles[noted.fact.cycle].second;
  }
  for (const auto& [cycle, sum] : cycles)
    if (sum.first / sum.second >= share) return static_cast<double>(cycle);
  return cycles.empty() ? not_applicable : static_cast<double>(cycles.rbegin()->first + 1);
}

using Part = double (*)(const overlay::Properties&);

Metric of_overlay(const std::string& name, const std::string& title, const std::string& unit,
                  const std::string& meaning, Part part) {
  return {name, title, unit, meaning, false, Better::neither, [part](const Outcome& outcome) {
            const auto all = properties(outcome);
            return all ? part(*all) : not_applicable;
          }};
}

}  // namespace

std::vector<Metric> overlay_metrics() {
  using P = overlay::Properties;
  return {
      of_overlay("in_degree_deviation", "in-degree deviation", "",
                 "Standard deviation of in-degrees: how many peers know a living peer.",
                 [](const P& p) { return p.in_degree_deviation; }),
      of_overlay("clustering", "clustering", "",
                 "Clustering coefficient: the share of pairs of a peer's neighbours that are "
                 "neighbours of each other; the mean over peers.",
                 [](const P& p) { return p.clustering; }),
      of_overlay("mean_path", "mean path", "hops",
                 "Hops between two living peers, over links of either direction; the mean over a "
                 "sample of pairs.",
                 [](const P& p) { return p.mean_path; }),
      of_overlay("dead_links", "dead links", "", "Links of living peers to dead ones.",
                 [](const P& p) { return static_cast<double>(p.dead_links); }),
      of_overlay("largest_part", "largest part", "peers",
                 "Living peers in the largest part whose members reach each other.",
                 [](const P& p) { return static_cast<double>(p.largest_part); }),
      {"cycles_to_order", "cycles to order", "cycles",
       "Cycles until peers know, on average, 95 % of the neighbours that they should have; the "
       "number of cycles plus one if that never happens.",
       false, Better::less, [](const Outcome& outcome) { return cycles_until(outcome, 0.95); }},
  };
}

}  // namespace rhizome::scenarios
