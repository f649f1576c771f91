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
// The placing of that name, which must exist.
[[nodiscard]] Placing placing_named(std::string_view name);

// Gives each share peers in proportion to its weight, of which at least one is not 0; in
// round-robin, equally many. The same library gives the same placement everywhere.
[[nodiscard]] core::Placement place(Placing placing, const overlay::Graph& graph,
                                    std::span<const std::uint32_t> weights);

}  // namespace rhizome::scenarios
