// Neighbour graphs: who knows whom before the first message. Undirected, without loops or double
// edges, and always connected: a generator joins the parts that chance left apart.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/peer/ids.hpp"
#include "core/peer/rng.hpp"

namespace rhizome::overlay {

// Adjacency by peer, each list ascending.
struct Graph {
  std::vector<std::vector<core::PeerId>> neighbours;

  [[nodiscard]] std::uint32_t peers() const { return static_cast<std::uint32_t>(neighbours.size()); }
  [[nodiscard]] std::span<const core::PeerId> of(core::PeerId peer) const {
    return neighbours[peer.value];
  }
};

}  // namespace rhizome::overlay
