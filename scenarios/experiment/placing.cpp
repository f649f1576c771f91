#include "scenarios/experiment/distributed_run.hpp"

#include <algorithm>

#include "overlay/partition.hpp"

namespace rhizome::scenarios {

Placing placing_named(std::string_view name) {
  const auto found = std::ranges::find(placing_names, name);
  return static_cast<Placing>(found - placing_names.begin());
}

core::Placement place(Placing placing, const overlay::Graph& graph,
                      std::span<const std::uint32_t> weights) {
  const auto shares = static_cast<std::uint32_t>(weights.size());
  switch (placing) {
    case Placing::blocks:
      break;
    case Placing::round_robin:
      return core::Placement::round_robin(graph.peers(), shares);
    case Placing::graph:
      return core::Placement::given(shares, overlay::partition(graph, weights));
  }
  return core::Placement::blocks(graph.peers(), weights);
}

}  // namespace rhizome::scenarios
