#include "overlay/graph.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "overlay/graph_generators.hpp"

namespace rhizome::graph_test {

using core::PeerId;
using core::Rng;
using overlay::Edge;
using overlay::Graph;

namespace {

// What every graph promises, however it was made.
void check_sound(const Graph& graph, std::uint32_t peers) {
  REQUIRE(graph.peers() == peers);
  CHECK(overlay::is_connected(graph));
  for (std::uint32_t i = 0; i < peers; ++i) {
    const auto& list = graph.neighbours[i];
    REQUIRE(std::adjacent_find(list.begin(), list.end(), std::greater_equal<>{}) == list.end());
    for (const PeerId other : list) {
      REQUIRE(other.value < peers);
      REQUIRE(other.value != i);
      const auto& back = graph.neighbours[other.value];
      REQUIRE(std::binary_search(back.begin(), back.end(), PeerId{i}));
    }
  }
}

std::uint32_t farthest(const Graph& graph, PeerId from) {
  const auto distances = overlay::hops(graph, from);
  return *std::max_element(distances.begin(), distances.end());
}

double mean_degree(const Graph& graph) {
  return 2.0 * static_cast<double>(overlay::edges(graph)) / graph.peers();
}

// The share of a peer's pairs of neighbours that know each other, over all peers.
double clustering(const Graph& graph) {
  double sum = 0;
  for (const auto& list : graph.neighbours) {
    double closed = 0;
    for (const PeerId a : list)
      for (const PeerId b : list)
        closed += std::binary_search(graph.neighbours[a.value].begin(),
                                     graph.neighbours[a.value].end(), b)
                      ? 1
                      : 0;
    const auto degree = static_cast<double>(list.size());
    if (degree > 1) sum += closed / (degree * (degree - 1));
  }
  return sum / graph.peers();
}

}  // namespace

TEST_CASE("loops and repeated edges do not enter a graph") {
  const std::vector<Edge> list = {{0, 1}, {1, 0}, {2, 2}, {0, 1}, {2, 1}};
  const Graph graph = overlay::graph_of(3, list);
  CHECK(overlay::edges(graph) == 2);
  check_sound(graph, 3);
}

TEST_CASE("components number the parts of a graph") {
  const std::vector<Edge> list = {{0, 2}, {3, 4}, {4, 5}};
  const Graph graph = overlay::graph_of(6, list);
  CHECK(overlay::components(graph) == std::vector<std::uint32_t>{0, 1, 0, 2, 2, 2});
  CHECK_FALSE(overlay::is_connected(graph));
}

TEST_CASE("parts join the largest one where its degrees are least") {
  // A triangle 1-2-3 with a tail 3-4, and the lone peers 0 and 5.
  const std::vector<Edge> list = {{1, 2}, {2, 3}, {1, 3}, {3, 4}};
  Graph graph = overlay::graph_of(6, list);
  overlay::connect(graph);
  check_sound(graph, 6);
  CHECK(overlay::edges(graph) == 6);
  CHECK(graph.neighbours[0] == std::vector{PeerId{4}});
  CHECK(graph.neighbours[5] == std::vector{PeerId{1}});
}

TEST_CASE("hops count the edges of shortest ways") {
  const std::vector<Edge> list = {{0, 1}, {1, 2}, {2, 3}, {0, 3}, {3, 4}};
  const auto distance = overlay::hops(overlay::graph_of(6, list), PeerId{0});
  CHECK(distance == std::vector<std::uint32_t>{0, 1, 2, 1, 2, overlay::unreachable});
}

TEST_CASE("a random graph has the mean degree and the spread of degrees of its probability") {
  Rng rng(1);
  constexpr std::uint32_t peers = 4'000;
  const Graph graph = overlay::generate(overlay::ErdosRenyi{peers, 0.003}, rng);
  check_sound(graph, peers);
  const double mean = mean_degree(graph);
  CHECK(mean == doctest::Approx(12).epsilon(0.02));
  double squares = 0;
  for (const auto& list : graph.neighbours)
    squares += std::pow(static_cast<double>(list.size()) - mean, 2);
  CHECK(squares / peers == doctest::Approx(12).epsilon(0.1));  // as of a Poisson distribution
}

TEST_CASE("every pair is an edge of a random graph with the same probability") {
  constexpr int graphs = 20'000;
  std::vector<std::vector<int>> seen(5, std::vector<int>(5));
  Rng rng(1);
  for (int i = 0; i < graphs; ++i) {
    const Graph graph = overlay::generate(overlay::ErdosRenyi{5, 0.9}, rng);
    for (std::uint32_t a = 0; a < 5; ++a)
      for (const PeerId b : graph.neighbours[a]) ++seen[a][b.value];
  }
  for (std::size_t a = 0; a < 5; ++a)
    for (std::size_t b = 0; b < 5; ++b)
      if (a != b) CHECK(seen[a][b] / double{graphs} == doctest::Approx(0.9).epsilon(0.01));
}

TEST_CASE("a sparse random graph is joined without a long tail") {
  Rng rng(3);
  const Graph graph = overlay::generate(overlay::ErdosRenyi{3'000, 0.001}, rng);
  check_sound(graph, 3'000);
  CHECK(farthest(graph, PeerId{0}) < 25);
}

TEST_CASE("a random graph of probability one is complete, of zero it is a tree") {
  Rng rng(1);
  CHECK(overlay::edges(overlay::generate(overlay::ErdosRenyi{40, 1}, rng)) == 40 * 39 / 2);
  const Graph bare = overlay::generate(overlay::ErdosRenyi{40, 0}, rng);
  check_sound(bare, 40);
  CHECK(overlay::edges(bare) == 39);
  for (const auto& list : bare.neighbours) CHECK(list.size() <= 3);
  CHECK(farthest(bare, PeerId{0}) <= 6);
}

TEST_CASE("a random graph of 100,000 peers costs time in proportion to its edges") {
  Rng rng(1);
  const Graph graph = overlay::generate(overlay::ErdosRenyi{100'000, 6e-5}, rng);
  CHECK(overlay::is_connected(graph));
  CHECK(mean_degree(graph) == doctest::Approx(6).epsilon(0.02));
}

TEST_CASE("a ring is a ring and a star is a star") {
  const Graph ring = overlay::generate(overlay::Ring{10});
  check_sound(ring, 10);
  CHECK(overlay::edges(ring) == 10);
  CHECK(farthest(ring, PeerId{0}) == 5);
  const Graph star = overlay::generate(overlay::Star{10});
  check_sound(star, 10);
  CHECK(star.neighbours[0].size() == 9);
  CHECK(overlay::edges(star) == 9);
}

TEST_CASE("k-out gives every peer at least its own choices") {
  Rng rng(1);
  const Graph graph = overlay::generate(overlay::KOut{500, 4}, rng);
  check_sound(graph, 500);
  for (const auto& list : graph.neighbours) CHECK(list.size() >= 4);
  CHECK(mean_degree(graph) == doctest::Approx(8).epsilon(0.02));
}

TEST_CASE("rewiring a lattice keeps its edges, shortens its ways and loosens its clusters") {
  Rng rng(1);
  const Graph lattice = overlay::generate(overlay::WattsStrogatz{1'000, 6, 0}, rng);
  const Graph rewired = overlay::generate(overlay::WattsStrogatz{1'000, 6, 0.1}, rng);
  const Graph random = overlay::generate(overlay::WattsStrogatz{1'000, 6, 1}, rng);
  for (const Graph* graph : {&lattice, &rewired, &random}) check_sound(*graph, 1'000);
  CHECK(overlay::edges(lattice) == 3'000);
  CHECK(overlay::edges(rewired) == 3'000);
  CHECK(farthest(lattice, PeerId{0}) == 167);
  CHECK(farthest(rewired, PeerId{0}) < 20);
  CHECK(clustering(lattice) == doctest::Approx(0.6));  // 3(k-2) / 4(k-1)
  CHECK(clustering(rewired) == doctest::Approx(0.6 * std::pow(0.9, 3)).epsilon(0.1));
  CHECK(clustering(random) < 0.03);
}

TEST_CASE("preferential attachment makes hubs, and as many edges as it should") {
  Rng rng(1);
  const Graph graph = overlay::generate(overlay::BarabasiAlbert{5'000, 3}, rng);
  check_sound(graph, 5'000);
  CHECK(overlay::edges(graph) == 6 + 3 * (5'000 - 4));
  std::vector<std::size_t> degrees;
  for (const auto& list : graph.neighbours) degrees.push_back(list.size());
  CHECK(*std::min_element(degrees.begin(), degrees.end()) == 3);
  CHECK(*std::max_element(degrees.begin(), degrees.end()) > 100);
  // The share of degree k is 2m(m+1) / k(k+1)(k+2): two fifths have the least degree.
  const auto least = std::count(degrees.begin(), degrees.end(), 3U);
  CHECK(static_cast<double>(least) / 5'000 == doctest::Approx(0.4).epsilon(0.1));
}

TEST_CASE("a grid is near to a square and its last row may be short") {
  const Graph square = overlay::generate(overlay::Grid{16});
  check_sound(square, 16);
  CHECK(overlay::edges(square) == 24);
  CHECK(farthest(square, PeerId{0}) == 6);
  const Graph ragged = overlay::generate(overlay::Grid{11});
  check_sound(ragged, 11);
  CHECK(overlay::edges(ragged) == 15);
}

TEST_CASE("generators agree for the same stream and differ for another") {
  const auto made = [](std::uint64_t seed) {
    Rng rng(seed);
    return overlay::generate(overlay::ErdosRenyi{200, 0.03}, rng).neighbours;
  };
  CHECK(made(1) == made(1));
  CHECK(made(1) != made(2));
}

TEST_CASE("the smallest graphs do not trip a generator") {
  Rng rng(1);
  for (const std::uint32_t peers : {1U, 2U, 3U, 5U}) {
    CAPTURE(peers);
    check_sound(overlay::generate(overlay::ErdosRenyi{peers, 0.5}, rng), peers);
    check_sound(overlay::generate(overlay::Ring{peers}), peers);
    check_sound(overlay::generate(overlay::Star{peers}), peers);
    check_sound(overlay::generate(overlay::KOut{peers, 3}, rng), peers);
    check_sound(overlay::generate(overlay::WattsStrogatz{peers, 4, 0.5}, rng), peers);
    check_sound(overlay::generate(overlay::BarabasiAlbert{peers, 3}, rng), peers);
    check_sound(overlay::generate(overlay::Grid{peers}), peers);
  }
}

}  // namespace rhizome::graph_test
