#include "overlay/properties.hpp"

#include <algorithm>
#include <cmath>

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

// The share of pairs of neighbours that are neighbours of each other.
double clustering_at(const Graph& graph, PeerId peer) {
  const auto around = graph.of(peer);
  std::size_t closed = 0;
  for (const PeerId a : around) {
    const auto beyond = graph.of(a);
    for (const PeerId b : around)
      if (a < b && std::binary_search(beyond.begin(), beyond.end(), b)) ++closed;
  }
  const double pairs = static_cast<double>(around.size() * (around.size() - 1)) / 2;
  return around.size() < 2 ? 0 : static_cast<double>(closed) / pairs;
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
  for (const std::uint32_t i : alive) is.clustering += clustering_at(graph, PeerId{i});
  is.clustering /= static_cast<double>(alive.size());
  measure_paths(is, graph, alive);
  return is;
}

}  // namespace rhizome::overlay
