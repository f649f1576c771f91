// Cyclon and T-Man at the sizes of their tables, in virtual time.
#include <doctest/doctest.h>

#include <cmath>

#include "test/support/overlays.hpp"

namespace rhizome {

using namespace std::chrono_literals;
using core::PeerId;
using test::OverlayRun;

namespace {

struct Row {
  std::uint32_t peers, view, shuffle;
  double deviation_least, deviation_most, clustering_least, clustering_most, path;
};

}  // namespace

TEST_CASE("Cyclon's in-degrees, clustering and paths are those of its table") {
  const Row rows[] = {{50, 10, 5, 2.1, 2.9, .35, .37, 1.63},
                      {200, 10, 5, 1.7, 2.0, .090, .090, 2.02},
                      {200, 20, 8, 3.6, 4.0, .188, .188, 1.81},
                      {1000, 20, 8, 2.3, 2.5, .038, .038, 2.16}};
  for (const Row& row : rows) {
    CAPTURE(row.peers);
    CAPTURE(row.view);
    OverlayRun run(row.peers, {.view = row.view, .shuffle = row.shuffle});
    run.cycles(100);
    const test::Properties is = run.properties();
    CHECK(is.mean_in_degree == doctest::Approx(row.view).epsilon(0.01));
    CHECK(is.in_degree_deviation >= row.deviation_least * 0.85);
    CHECK(is.in_degree_deviation <= row.deviation_most * 1.15);
    CHECK(is.clustering >= row.clustering_least * 0.85);
    CHECK(is.clustering <= row.clustering_most * 1.15);
    CHECK(is.mean_path == doctest::Approx(row.path).epsilon(0.15));
    CHECK(is.largest_part == row.peers);
  }
}

TEST_CASE("after half of the peers die, dead links vanish and the overlay stays whole") {
  struct Case {
    std::uint32_t view, shuffle;
    int cycles;
  };
  for (const Case& c : {Case{10, 5, 21}, Case{20, 8, 38}}) {
    CAPTURE(c.view);
    OverlayRun run(1000, {.view = c.view, .shuffle = c.shuffle});
    run.cycles(50);
    run.kill(0.5);
    CHECK(run.properties().dead_links > 1000);
    run.cycles(static_cast<int>(std::ceil(c.cycles * 1.15)));
    const test::Properties is = run.properties();
    CHECK(is.dead_links == 0);
    CHECK(is.largest_part == 500);
  }
}

TEST_CASE("after nine in ten die, almost all survivors stay together") {
  double share = 0;
  constexpr int worlds = 10;
  for (std::uint64_t seed = 1; seed <= worlds; ++seed) {
    OverlayRun run(1000, {.view = 20, .shuffle = 8}, {}, seed);
    run.cycles(50);
    run.kill(0.9);
    run.cycles(60);
    share += static_cast<double>(run.properties().largest_part) / 100 / worlds;
  }
  MESSAGE("largest part of the survivors: " << share);
  CHECK(share >= 0.97);
}

TEST_CASE("T-Man sorts peers into a ring within the cycles of its table") {
  struct Case {
    std::uint32_t peers;
    int cycles;
  };
  for (const Case& c : {Case{50, 3}, Case{1000, 6}}) {
    CAPTURE(c.peers);
    OverlayRun run(c.peers, {}, overlay::Ranking::ring(c.peers));
    run.cycles(static_cast<int>(std::ceil(c.cycles * 1.15)));
    CHECK(run.correct_neighbours() >= 0.95);
  }
}

TEST_CASE("T-Man sorts peers along a gradient within the cycles of its table") {
  struct Case {
    std::uint32_t peers;
    int cycles;
  };
  for (const Case& c : {Case{50, 6}, Case{100, 7}, Case{1000, 10}}) {
    CAPTURE(c.peers);
    OverlayRun run(c.peers, {}, overlay::Ranking::gradient());
    run.cycles(static_cast<int>(std::ceil(c.cycles * 1.15)));
    CHECK(run.correct_neighbours() >= 0.95);
  }
}

}  // namespace rhizome
