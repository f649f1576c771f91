#include "overlay/graph_generators.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace rhizome::overlay {

namespace {

Graph finished(std::uint32_t peers, const std::vector<Edge>& edges) {
  Graph graph = graph_of(peers, edges);
  connect(graph);
  return graph;
}

std::uint32_t any_peer(core::Rng& rng, std::uint32_t peers) {
  return static_cast<std::uint32_t>(rng.below(peers));
}

// The edges of all pairs (b < a) in the order (1,0), (2,0), (2,1), ...
Edge pair_at(std::uint64_t index) {
  auto a =
      static_cast<std::uint64_t>((1.0 + std::sqrt(1.0 + 8.0 * static_cast<double>(index))) / 2);
  while (a * (a - 1) / 2 > index) --a;  // the square root may be off by one
  while ((a + 1) * a / 2 <= index) ++a;
  return {static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(index - a * (a - 1) / 2)};
}

}  // namespace

// Skips from edge to edge by geometric gaps (Batagelj and Brandes 2005), so that the time is in
// proportion to the number of edges.
Graph generate(const ErdosRenyi& options, core::Rng& rng) {
  const std::uint64_t pairs = std::uint64_t{options.peers} * (options.peers - 1) / 2;
  std::vector<Edge> edges;
  if (options.probability >= 1) {
    for (std::uint64_t i = 0; i < pairs; ++i) edges.push_back(pair_at(i));
  } else if (options.probability > 0) {
    const double log_miss = std::log1p(-options.probability);
    double at = -1;
    for (;;) {
      at += 1 + std::floor(std::log1p(-rng.unit()) / log_miss);
      if (!(at < static_cast<double>(pairs))) break;
      edges.push_back(pair_at(static_cast<std::uint64_t>(at)));
    }
  }
  return finished(options.peers, edges);
}

Graph generate(const Ring& options) {
  std::vector<Edge> edges;
  for (std::uint32_t i = 0; i < options.peers; ++i) edges.emplace_back(i, (i + 1) % options.peers);
  return finished(options.peers, edges);
}

Graph generate(const Star& options) {
  std::vector<Edge> edges;
  for (std::uint32_t i = 1; i < options.peers; ++i) edges.emplace_back(0, i);
  return finished(options.peers, edges);
}

Graph generate(const KOut& options, core::Rng& rng) {
  const std::uint32_t out = std::min(options.out_degree, options.peers - 1);
  std::vector<Edge> edges;
  for (std::uint32_t i = 0; i < options.peers; ++i) {
    std::set<std::uint32_t> chosen;
    while (chosen.size() < out)
      if (const std::uint32_t other = any_peer(rng, options.peers); other != i)
        chosen.insert(other);
    for (const std::uint32_t other : chosen) edges.emplace_back(i, other);
  }
  return finished(options.peers, edges);
}

Graph generate(const WattsStrogatz& options, core::Rng& rng) {
  const std::uint32_t half = std::min(options.nearest, options.peers - 1) / 2;
  std::set<Edge> present;
  const auto edge = [](std::uint32_t a, std::uint32_t b) { return Edge(std::minmax(a, b)); };
  for (std::uint32_t i = 0; i < options.peers; ++i)
    for (std::uint32_t k = 1; k <= half; ++k) present.insert(edge(i, (i + k) % options.peers));
  for (std::uint32_t k = 1; k <= half; ++k)
    for (std::uint32_t i = 0; i < options.peers; ++i) {
      if (!rng.chance(options.rewiring)) continue;
      const std::uint32_t other = any_peer(rng, options.peers);
      if (other == i || present.contains(edge(i, other))) continue;
      present.erase(edge(i, (i + k) % options.peers));
      present.insert(edge(i, other));
    }
  return finished(options.peers, {present.begin(), present.end()});
}

Graph generate(const BarabasiAlbert& options, core::Rng& rng) {
  const std::uint32_t m = std::min(options.attachments, options.peers - 1);
  std::vector<Edge> edges;
  std::vector<std::uint32_t> ends;  // every peer as often as it has edges
  for (std::uint32_t i = 0; i <= m; ++i)
    for (std::uint32_t j = 0; j < i; ++j) {
      edges.emplace_back(i, j);
      ends.insert(ends.end(), {i, j});
    }
  for (std::uint32_t i = m + 1; i < options.peers; ++i) {
    std::set<std::uint32_t> chosen;
    while (chosen.size() < m) chosen.insert(ends[rng.below(ends.size())]);
    for (const std::uint32_t other : chosen) {
      edges.emplace_back(i, other);
      ends.insert(ends.end(), {i, other});
    }
  }
  return finished(options.peers, edges);
}

Graph generate(const Grid& options) {
  const auto columns =
      static_cast<std::uint32_t>(std::ceil(std::sqrt(static_cast<double>(options.peers))));
  std::vector<Edge> edges;
  for (std::uint32_t i = 0; i < options.peers; ++i) {
    if ((i + 1) % columns != 0 && i + 1 < options.peers) edges.emplace_back(i, i + 1);
    if (i + columns < options.peers) edges.emplace_back(i, i + columns);
  }
  return finished(options.peers, edges);
}

Graph generate(const Complete& options) { return {.neighbours = {}, .complete = options.peers}; }

}  // namespace rhizome::overlay
