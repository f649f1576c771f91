// Neighbour graphs: which peers know each other before the first message. Undirected, without loops
// or double edges, and always connected: a generator joins the parts that chance left apart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "overlay/neighbours.hpp"

namespace rhizome::overlay {

// Adjacency by peer, each list ascending; or no lists, where every peer knows every other.
struct Graph {
  std::vector<std::vector<core::PeerId>> neighbours;
  std::uint32_t complete = 0;  // peers of a complete graph, which has no lists

  [[nodiscard]] std::uint32_t peers() const {
    return complete > 0 ? complete : static_cast<std::uint32_t>(neighbours.size());
  }
  // Ascending.
  [[nodiscard]] Neighbours of(core::PeerId peer) const {
    return complete > 0 ? Neighbours::all_but(peer, complete) : Neighbours(neighbours[peer.value]);
  }
};

using Edge = std::pair<std::uint32_t, std::uint32_t>;

// Loops and repeated edges are left out; the graph need not be connected.
[[nodiscard]] Graph graph_of(std::uint32_t peers, std::span<const Edge> edges);

// Joins separate parts to the largest, each by an edge between peers of least degree.
void connect(Graph& graph);

// The number of the part that each peer belongs to, from 0.
[[nodiscard]] std::vector<std::uint32_t> components(const Graph& graph);
[[nodiscard]] bool is_connected(const Graph& graph);
[[nodiscard]] std::size_t edges(const Graph& graph);

// The number of edges on the shortest way from `from` to every peer.
inline constexpr std::uint32_t unreachable = ~std::uint32_t{0};
[[nodiscard]] std::vector<std::uint32_t> hops(const Graph& graph, core::PeerId from);

}  // namespace rhizome::overlay
