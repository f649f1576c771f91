// Topologies from GraphML files, such as those of the Internet Topology Zoo (Knight et al. 2011):
// a neighbour graph, and latencies from the places of its nodes.
#pragma once

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/peer/time.hpp"
#include "overlay/graph.hpp"

namespace rhizome::overlay {

// An error in a file; what() is "file:line:column: message".
class GraphmlError : public std::runtime_error {
 public:
  GraphmlError(std::string file, std::size_t line, std::size_t column, std::string message);

  std::string file;
  std::size_t line;    // from 1
  std::size_t column;  // from 1, in bytes
  std::string message;
};

struct GeoPoint {
  double latitude = 0;   // degrees
  double longitude = 0;  // degrees
};

struct Topology {
  std::vector<std::string> labels;              // of the nodes, in the order of the file
  std::vector<std::optional<GeoPoint>> places;  // some nodes have none
  std::vector<Edge> edges;  // positions of nodes; loops and repetitions left out
};

// `file` is named in messages. Throws GraphmlError for text that is not GraphML, for edges to
// unknown nodes, for invalid coordinates, for a file without nodes, and for what a topology cannot
// have: nested graphs, hyperedges, and more than one graph.
[[nodiscard]] Topology parse_graphml(const std::string& text, const std::string& file);

// `peers` peers on the nodes, peer i at node i modulo the nodes. Peer i knows peer i plus the
// number of nodes, at the same node; each such round of all nodes has the links of the topology.
[[nodiscard]] Graph graph_from(const Topology& topology, std::uint32_t peers);

// One-way delays between all nodes, the same both ways: great-circle distances at 2·10⁸ m/s, light
// in fibre, along the shortest path. A node without a place stands amid its placed neighbours.
// Throws GraphmlError for a node that has neither or that cannot be reached, and for more than
// 5,000 nodes.
[[nodiscard]] std::vector<std::vector<core::Duration>> delays_of(const Topology& topology,
                                                                 const std::string& file);

}  // namespace rhizome::overlay
