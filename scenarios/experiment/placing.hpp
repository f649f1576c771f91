// Which process runs which peer of a run that several share.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/engine/share.hpp"
#include "overlay/graph.hpp"

namespace rhizome::scenarios {

enum class Placing : std::uint8_t {
  blocks,       // neighbouring addresses together
  round_robin,  // neighbouring addresses apart
  graph,        // neighbours of the graph together, as well as that can be
  last = graph
};
inline constexpr std::array<std::string_view, 3> placing_names{"blocks", "round-robin", "graph"};
// One of those names.
[[nodiscard]] Placing placing_named(std::string_view name);

// To each share as many peers as its weight is of all weights, of which one at least is not 0; in
// round-robin, as many to each. Of the same library the same everywhere.
[[nodiscard]] core::Placement place(Placing placing, const overlay::Graph& graph,
                                    std::span<const std::uint32_t> weights);

}  // namespace rhizome::scenarios
