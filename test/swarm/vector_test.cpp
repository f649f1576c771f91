// Vector scheduling in whole runs, in virtual time.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "agents/facts.hpp"
#include "test/support/effort.hpp"
#include "test/support/experiments.hpp"

namespace rhizome::vector_test {

using test::check_sound;
using test::metric;
using test::run_scenario;

namespace {

const std::string base = R"(
peers.count = 46
graph.mean_degree = 9
workload.jobs = 1
workload.portions = 400
workload.portion_time = "10s"
network.latency = "constant"
network.delay = "5ms"
engine.kind = "virtual"
engine.time_limit = "2h"
engine.grace = "60s"
[[scheduler]]
use = "vector"
)";

const std::vector<std::string> ways[] = {
    {},
    {"scheduler.vector.spread=never", "scheduler.vector.requests=always"},
    {"scheduler.vector.flow=queue -1", "scheduler.vector.stasis=queue -0.2"},
    {"scheduler.vector.flow=queue -1 history -0.3", "scheduler.vector.start_at_tick=true"},
    {"scheduler.vector.flow=queue -1 latency -0.2 memory 0.1", "scheduler.vector.bundled=true"},
    {"scheduler.vector.only_down=true", "scheduler.vector.damping=0.5",
     "scheduler.vector.credit=true"},
    {"scheduler.vector.split=finish-times", "scheduler.vector.credit=true"},
    {"scheduler.vector.split=finish-times", "scheduler.vector.estimate=history",
     "scheduler.vector.overhead=20ms"},
};

std::vector<std::string> with(std::vector<std::string> list, const std::vector<std::string>& more) {
  list.insert(list.end(), more.begin(), more.end());
  return list;
}

}  // namespace

TEST_CASE("every way of vector scheduling completes every task, once") {
  for (const auto& way : ways)
    for (std::uint32_t seed = 0; seed < 3; ++seed) {
      CAPTURE(way);
      const auto outcome = run_scenario(base, seed, 0, {.command_line = way});
      check_sound(outcome);
      CHECK(metric(outcome, "completed") == 400);
      CHECK(metric(outcome, "duplicates") == 0);
      CHECK(metric(outcome, "reexecutions") == 0);
      CHECK(metric(outcome, "reissues") == 0);
    }
}

// The published size under each way five times, and a smaller one, with longer tasks beside what
// peers report, for chances that are rare.
TEST_CASE("vector scheduling loses no task when a fifth of the peers crash, under every way") {
  const auto check = [](std::uint32_t seed, const std::vector<std::string>& keys, double tasks) {
    CAPTURE(ways[seed % std::size(ways)]);
    const auto outcome =
        run_scenario(base, seed, 0, {.command_line = with(ways[seed % std::size(ways)], keys)});
    check_sound(outcome);
    CHECK(metric(outcome, "completed") == tasks);
    CHECK(outcome.faults.size() == outcome.peers.size() / 5);
  };
  const std::vector<std::string> crashes{"faults.crash_share=0.2", "faults.crash_until=60s"};
  for (std::uint32_t seed = 0; seed < test::seeds(40); ++seed) check(seed, crashes, 400);
  const auto small = with(crashes, {"peers.count=15", "graph.mean_degree=4", "workload.portions=60",
                                    "workload.portion_time=20s"});
  for (std::uint32_t seed = 0; seed < test::seeds(100); ++seed) check(seed, small, 60);
}

TEST_CASE("vector scheduling loses no task to restarts, lost packets and a cut network") {
  for (std::uint32_t seed = 0; seed < test::seeds(20); ++seed)
    check_sound(run_scenario(
        base + "[[network.partition]]\nfrom = \"20s\"\nuntil = \"50s\"\nshare = 0.3\n", seed, 0,
        {.command_line = with(ways[seed % std::size(ways)],
                              {"network.loss=0.1", "network.duplication=0.05",
                               "faults.crash_share=0.3", "faults.restart_after=3s"})}));
}

TEST_CASE("without recovery a run without faults does the same work without a message of it") {
  const auto outcome =
      run_scenario(base, 0, 0, {.command_line = {"scheduler.vector.recovery=false"}});
  check_sound(outcome);
  CHECK(metric(outcome, "completed") == 400);
  for (const auto& peer : outcome.peers)
    for (const core::BurdenRow& row : peer.burdens) CHECK(row.cause != core::Cause::recovery);
}

TEST_CASE("work spreads to all peers, and level finish times need fewer moves than the vectors") {
  const auto published = run_scenario(base, 0, 0, {.command_line = ways[0]});
  const auto level = run_scenario(base, 0, 0, {.command_line = ways[6]});
  for (const auto* outcome : {&published, &level})
    for (const auto& peer : outcome->peers) CHECK(peer.busy > core::Duration{0});
  CHECK(metric(level, "moves_per_task") < metric(published, "moves_per_task"));
}

}  // namespace rhizome::vector_test
