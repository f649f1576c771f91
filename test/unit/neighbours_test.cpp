#include "overlay/neighbours.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "overlay/graph_generators.hpp"

namespace rhizome::neighbours_test {

using core::PeerId;
using namespace overlay;

TEST_CASE("in a complete graph every peer knows all others, in order, without a list") {
  const Graph graph = generate(Complete{5});
  CHECK(graph.peers() == 5);
  CHECK(graph.neighbours.empty());
  CHECK(is_connected(graph));
  CHECK(edges(graph) == 10);
  const Neighbours around = graph.of(PeerId{2});
  CHECK(std::vector(around.begin(), around.end()) ==
        std::vector{PeerId{0}, PeerId{1}, PeerId{3}, PeerId{4}});
  CHECK(std::binary_search(around.begin(), around.end(), PeerId{4}));
  CHECK_FALSE(std::binary_search(around.begin(), around.end(), PeerId{2}));
  CHECK(generate(Complete{1}).of(PeerId{0}).empty());
}

TEST_CASE("a drawing takes every neighbour once, and then core::no_peer") {
  core::Rng rng(1);
  const std::vector<PeerId> list{PeerId{3}, PeerId{5}, PeerId{9}};
  for (const Neighbours& from : {Neighbours(list), Neighbours::all_but(PeerId{1}, 4)}) {
    Drawing drawing(from, rng);
    std::set<PeerId> drawn;
    for (std::size_t i = 0; i < from.size(); ++i) drawn.insert(drawing.next());
    CHECK(std::vector(drawn.begin(), drawn.end()) == std::vector(from.begin(), from.end()));
    CHECK(drawing.next() == core::no_peer);
  }
}

TEST_CASE("a drawing prefers no neighbour, neither first nor second") {
  core::Rng rng(1);
  constexpr int drawings = 20'000;
  std::vector<std::vector<int>> drawn(2, std::vector<int>(6));
  for (int i = 0; i < drawings; ++i) {
    Drawing drawing(Neighbours::all_but(PeerId{2}, 6), rng);
    for (auto& counts : drawn) ++counts[drawing.next().value];
  }
  for (const auto& counts : drawn) {
    CHECK(counts[2] == 0);
    for (const std::size_t peer : {0U, 1U, 3U, 4U, 5U})
      CHECK(counts[peer] == doctest::Approx(drawings / 5).epsilon(0.05));
  }
}

}  // namespace rhizome::neighbours_test
