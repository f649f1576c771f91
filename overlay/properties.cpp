#include "overlay/properties.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace rhizome::overlay {

namespace {

using core::PeerId;

void measure_degrees(Properties& is, std::span<const Edge> edges,
                     const std::vector<std::uint32_t>& living, std::size_t peers) {
  std::vector<std::size_t> in_degree(peers);
  for (const auto& [from, to] : edges) ++in_degree[to];
  const auto count = static_cast<double>(living.size());
  is.mean_in_degree = static_cast<double>(edges.size()) / count;
  double square = 0;
  for (const std::uint32_t i : living)
    square += std::pow(static_cast<double>(in_degree[i]) - is.mean_in_degree, 2);
  is.in_degree_deviation = std::sqrt(square / count);
}

// By peer: how many pairs of its neighbours are neighbours of each other. Each triangle is found
// once, from its peer of the least degree, so that a hub costs no more than its edges (Chiba and
// Nishizeki 1985).
std::vector<std::size_t> triangles_of(const Graph& graph) {
  const std::uint32_t peers = graph.peers();
  const auto rank = [&graph](PeerId peer) { return std::pair(graph.of(peer).size(), peer); };
  std::vector<std::vector<PeerId>> higher(peers);
  for (std::uint32_t i = 0; i < peers; ++i)
    for (const PeerId other : graph.of({i}))
      if (rank({i}) < rank(other)) higher[i].push_back(other);
  std::vector<std::size_t> triangles(peers);
  std::vector<std::uint32_t> near(peers, peers);  // the latest peer that has this one in `higher`
  for (std::uint32_t a = 0; a < peers; ++a) {
    for (const PeerId b : higher[a]) near[b.value] = a;
    for (const PeerId b : higher[a])
      for (const PeerId c : higher[b.value])
        if (near[c.value] == a)
          for (const std::uint32_t corner : {a, b.value, c.value}) ++triangles[corner];
  }
  return triangles;
}

// The share of pairs of neighbours that are neighbours of each other.
double clustering_at(std::size_t degree, std::size_t triangles) {
  const double pairs = static_cast<double>(degree * (degree - 1)) / 2;
  return degree < 2 ? 0 : static_cast<double>(triangles) / pairs;
}

void measure_paths(Properties& is, const Graph& graph, const std::vector<std::uint32_t>& living) {
  double total = 0;
  std::size_t ways = 0;
  const std::size_t step = std::max<std::size_t>(1, living.size() / 20);
  for (std::size_t s = 0; s < living.size(); s += step) {
    std::size_t reached = 0;
    for (const std::uint32_t distance : hops(graph, PeerId{living[s]})) {
      if (distance == unreachable) continue;
      total += distance;
      ways += distance > 0 ? 1 : 0;
      ++reached;
    }
    is.largest_part = std::max(is.largest_part, reached);
  }
  is.mean_path = ways > 0 ? total / static_cast<double>(ways) : 0;
}

}  // namespace

Properties properties_of(std::span<const Edge> links, const std::vector<bool>& living) {
  Properties is;
  std::vector<std::uint32_t> alive;
  for (std::uint32_t i = 0; i < living.size(); ++i)
    if (living[i]) alive.push_back(i);
  if (alive.empty()) return is;
  std::vector<Edge> edges;
  for (const Edge& link : links) {
    if (!living[link.first]) continue;
    if (living[link.second]) {
      edges.push_back(link);
    } else {
      ++is.dead_links;
    }
  }
  measure_degrees(is, edges, alive, living.size());
  const Graph graph = graph_of(static_cast<std::uint32_t>(living.size()), edges);
  const std::vector<std::size_t> triangles = triangles_of(graph);
  for (const std::uint32_t i : alive)
    is.clustering += clustering_at(graph.of({i}).size(), triangles[i]);
  is.clustering /= static_cast<double>(alive.size());
  measure_paths(is, graph, alive);
  return is;
}

}  // namespace rhizome::overlay
