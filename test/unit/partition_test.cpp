// Peers divided among processes.
#include "overlay/partition.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/peer/rng.hpp"
#include "overlay/graph_generators.hpp"

namespace rhizome::overlay::partition_test {

namespace {

Graph ring(std::uint32_t peers, std::uint32_t step) {
  std::vector<Edge> edges;
  for (std::uint32_t i = 0; i < peers; ++i) edges.emplace_back(i, (i + step) % peers);
  return graph_of(peers, edges);
}

Graph random_graph(std::uint32_t peers, double degree, std::uint64_t seed) {
  core::Rng rng = core::Rng::derive({seed}, "partition");
  std::vector<Edge> edges;
  for (std::size_t i = 0; i < static_cast<std::size_t>(peers * degree / 2); ++i)
    edges.emplace_back(static_cast<std::uint32_t>(rng.below(peers)),
                       static_cast<std::uint32_t>(rng.below(peers)));
  Graph graph = graph_of(peers, edges);
  connect(graph);
  return graph;
}

std::vector<std::uint32_t> sizes(const std::vector<std::uint32_t>& parts, std::size_t count) {
  std::vector<std::uint32_t> found(count);
  for (const std::uint32_t part : parts) ++found.at(part);
  return found;
}

}  // namespace

TEST_CASE(
    "every peer is in one part, and parts are as large as their weights, whatever the graph") {
  core::Rng rng = core::Rng::derive({7}, "weights");
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const auto peers = static_cast<std::uint32_t>(2 + rng.below(150));
    std::vector<std::uint32_t> weights(1 + rng.below(9));
    for (std::uint32_t& weight : weights) weight = static_cast<std::uint32_t>(rng.below(5));
    weights.front() += 1;
    const Graph graph = random_graph(peers, 1 + static_cast<double>(rng.below(6)), seed);
    const auto parts = partition(graph, weights);
    CAPTURE(seed);
    REQUIRE(parts.size() == peers);
    CHECK(sizes(parts, weights.size()) == sizes_of_parts(peers, weights));
  }
}

TEST_CASE("the same graph is divided the same way, and no worse than by address") {
  const std::vector<std::uint32_t> weights{2, 1, 1};
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Graph graph = random_graph(120, 5, seed);
    const auto parts = partition(graph, weights);
    CHECK(parts == partition(graph, weights));
    std::vector<std::uint32_t> dealt(120);
    for (std::uint32_t i = 0; i < 120; ++i) dealt[i] = i < 60 ? 0 : i < 90 ? 1 : 2;
    CHECK(cut_edges(graph, parts) <= cut_edges(graph, dealt));
  }
}

TEST_CASE("METIS is loaded where the build found it") {
#if __has_include(<metis.h>)
  CHECK(has_partitioner());
#else
  CHECK_FALSE(has_partitioner());
#endif
}

TEST_CASE("neighbours whose addresses are far apart are put together") {
  if (!has_partitioner()) return;
  const std::vector<std::uint32_t> halves{1, 1};
  CHECK(cut_edges(ring(101, 37), partition(ring(101, 37), halves)) <= 4);
}

TEST_CASE("a complete graph and a single part are divided by address") {
  const std::vector<std::uint32_t> two{1, 1};
  const std::vector<std::uint32_t> one{3};
  CHECK(partition({.neighbours = {}, .complete = 4}, two) ==
        std::vector<std::uint32_t>{0, 0, 1, 1});
  CHECK(partition(ring(3, 1), one) == std::vector<std::uint32_t>{0, 0, 0});
}

TEST_CASE("peers that lose the fewest neighbours move first") {
  // 0-1-2-3 in a row: of the first part, only 2 has a neighbour in the other.
  const Graph row = graph_of(4, std::vector<Edge>{{0, 1}, {1, 2}, {2, 3}});
  std::vector<std::uint32_t> parts{0, 0, 0, 1};
  balance(row, std::vector<std::uint32_t>{2, 2}, parts);
  CHECK(parts == std::vector<std::uint32_t>{0, 0, 1, 1});
}

}  // namespace rhizome::overlay::partition_test
