// What an overlay is like as a graph: the measures by which gossip protocols are judged
// (Voulgaris, Gavidia and van Steen 2005).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "overlay/graph.hpp"

namespace rhizome::overlay {

// Properties of the directed graph of views among living peers.
struct Properties {
  double mean_in_degree = 0;
  double in_degree_deviation = 0;
  double clustering = 0;  // undirected, mean over peers
  double mean_path = 0;   // undirected, from a sample of 20 peers or more
  std::size_t dead_links = 0;
  std::size_t largest_part = 0;  // found from those
};

// `links` go from a holder to a peer that it knows; `living` by peer. Links of dead peers do not
// count.
[[nodiscard]] Properties properties_of(std::span<const Edge> links,
                                       const std::vector<bool>& living);

}  // namespace rhizome::overlay
