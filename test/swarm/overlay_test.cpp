// Cyclon and T-Man at the sizes of their tables, in virtual time.
#include <doctest/doctest.h>

#include <cmath>

#include "test/support/effort.hpp"
#include "test/support/experiments.hpp"
#include "test/support/overlays.hpp"

namespace rhizome::overlay_test {

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
    const overlay::Properties is = run.properties();
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
    const overlay::Properties is = run.properties();
    CHECK(is.dead_links == 0);
    CHECK(is.largest_part == 500);
  }
}

TEST_CASE("after nine in ten die, almost all survivors stay together") {
  double share = 0;
  constexpr std::uint32_t worlds = test::seeds(10);
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

TEST_CASE("a view larger than the number of survivors does not keep dead peers for ever") {
  for (const auto& ranking : {overlay::Ranking::gradient(), overlay::Ranking::ring(50)})
    for (const double share : {0.8, 0.9})
      for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        CAPTURE(share);
        CAPTURE(seed);
        OverlayRun run(50, {}, ranking, seed);
        run.cycles(OverlayRun::warm_up + 20);
        run.kill(share);
        CHECK(run.similar_links_to_the_dead() > 0);
        run.cycles(22);  // the memory of T-Man, and its period
        CHECK(run.similar_links_to_the_dead() == 0);
        run.cycles(60);
        CHECK(run.similar_links_to_the_dead() == 0);
        CHECK(run.properties().dead_links == 0);
        CHECK(run.similar_links() > 0);
      }
}

TEST_CASE("T-Man forgets no living peer") {
  OverlayRun run(300, {}, overlay::Ranking::gradient());
  run.cycles(OverlayRun::warm_up + 60);
  for (int look = 0; look < 20; ++look) {
    run.cycles(5);
    CHECK(run.correct_neighbours() > 0.99);
  }
}

TEST_CASE("T-Man sorts peers into a ring within the cycles of its table") {
  struct Case {
    std::uint32_t peers;
    int cycles;
  };
  for (const Case& c : {Case{50, 3}, Case{1000, 6}}) {
    CAPTURE(c.peers);
    OverlayRun run(c.peers, {}, overlay::Ranking::ring(c.peers));
    run.cycles(OverlayRun::warm_up);
    CHECK(run.correct_neighbours() == 0);
    run.cycles(static_cast<int>(std::ceil(c.cycles * 1.15)));
    CHECK(run.correct_neighbours() >= 0.95);
  }
}

// Of its table: each exchange finds a fresh random sample, which four shuffles make of a view.
TEST_CASE("T-Man sorts peers along a gradient within the cycles of its table, and no sooner") {
  struct Case {
    std::uint32_t peers;
    int soonest, cycles;
  };
  for (const Case& c : {Case{50, 4, 6}, Case{100, 5, 7}, Case{1000, 9, 10}}) {
    CAPTURE(c.peers);
    OverlayRun run(c.peers, {}, overlay::Ranking::gradient(), 1, 4);
    run.cycles(OverlayRun::warm_up);
    CHECK(run.correct_neighbours() == 0);
    run.cycles(c.soonest - 2);
    CHECK(run.correct_neighbours() < 0.95);
    run.cycles(static_cast<int>(std::ceil(c.cycles * 1.15)) - c.soonest + 2);
    CHECK(run.correct_neighbours() >= 0.95);
  }
}

TEST_CASE("overlays run without a scheduler measure themselves") {
  const std::string text = R"(
peers.count = 200
graph.kind = "k-out"
graph.out_degree = 10
workload.jobs = 1
engine.kind = "virtual"
[[faults.mass]]
at = "10s"
share = 0.2
[[scheduler]]
use = "overlay-only"
topology = "ring"
cycles = 19
[[scheduler]]
use = "overlay-only"
label = "healed"
cycles = 80
)";
  const auto struck = test::run_scenario(text);
  test::check_sound(struck);
  CHECK(test::metric(struck, "dead_links") == 0);  // 39 cycles: the failure is yet to come
  CHECK(test::metric(struck, "in_degree_deviation") < 2.5);
  CHECK(test::metric(struck, "mean_path") == doctest::Approx(2.02).epsilon(0.15));
  CHECK(test::metric(struck, "cycles_to_order") >= 3);
  CHECK(test::metric(struck, "cycles_to_order") <= 6);
  const auto healed = test::run_scenario(text, 0, 1);
  test::check_sound(healed);
  CHECK(test::metric(healed, "dead_links") == 0);
  CHECK(test::metric(healed, "largest_part") == 160);
  CHECK(std::isnan(test::metric(healed, "cycles_to_order")));  // there was none to come to
  const auto wounded =
      test::run_scenario(text, 0, 1, {.command_line = {"scheduler.healed.cycles=42"}});
  CHECK(test::metric(wounded, "dead_links") > 0);
}

}  // namespace rhizome::overlay_test
