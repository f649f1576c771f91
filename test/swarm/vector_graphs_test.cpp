// Tasks that need each other under vector scheduling, moved by locators, in whole runs in virtual
// time.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "test/support/effort.hpp"
#include "test/support/experiments.hpp"

namespace rhizome::vector_graphs_test {

using test::check_sound;
using test::metric;
using test::run_scenario;

namespace {

const std::string base = R"(
network.latency = "constant"
network.delay = "5ms"
peers.count = 10
graph.mean_degree = 4
workload = { kind = "matrix", dims = 8, tg_prob_connected = 0.4, independent = 20 }
engine.kind = "virtual"
[[scheduler]]
use = "vector"
locator = "forwarders"
)";
constexpr std::size_t tasks = 8 * 8 + 20;

const std::vector<std::string> ways[] = {
    {},
    {"scheduler.vector.cleanup=at-start", "scheduler.vector.inform_last_k=2"},
    {"scheduler.vector.cleanup=by-count", "scheduler.vector.compression=false"},
    {"scheduler.vector.cleanup=none", "scheduler.vector.find_first=1"},
    {"scheduler.vector.locator=registry"},
    {"scheduler.vector.locator=ring", "scheduler.vector.split=finish-times"},
    {"scheduler.vector.locator=eager", "scheduler.vector.credit=true"},
    {"scheduler.vector.locator=broadcast", "scheduler.vector.start_at_tick=true"},
};

scenarios::Outcome run(const std::vector<std::string>& way, std::uint32_t seed,
                       const std::vector<std::string>& more = {}) {
  std::vector<std::string> line = way;
  line.insert(line.end(), more.begin(), more.end());
  CAPTURE(line);
  auto outcome = run_scenario(base, seed, 0, {.command_line = line});
  check_sound(outcome);
  CHECK(metric(outcome, "completed") == tasks);
  return outcome;
}

}  // namespace

TEST_CASE("tasks of graphs move under vector scheduling and are found in every way") {
  for (const auto& way : ways)
    for (std::uint32_t seed = 0; seed < test::seeds(3); ++seed) {
      const auto outcome = run(way, seed);
      CHECK(metric(outcome, "duplicates") == 0);
      CHECK(metric(outcome, "reissues") == 0);
      CHECK(metric(outcome, "datum_hops") >= 1);
      std::size_t moves = 0;
      for (const auto& noted : outcome.facts.of<agents::locator::TaskSettled>())
        moves += noted.fact.epoch > 0 ? 1 : 0;
      CHECK(moves > tasks / 4);
    }
}

TEST_CASE(
    "no task of a graph is lost where peers crash, restart, and messages are lost and doubled") {
  for (std::uint32_t seed = 0; seed < test::seeds(48); ++seed)
    run(ways[seed % std::size(ways)], seed,
        {"network.loss=0.05", "network.duplication=0.05", "faults.crash_share=0.3",
         "faults.crash_until=2s",
         std::string("faults.restart_after=") + (seed % 2 == 0 ? "500ms" : "20s")});
}

// Peer 2 had not brought what task 5 gave to task 6 when it crashed, and no peer has task 6 for a
// lease. A world that the fuzz found (seed 60002470).
TEST_CASE("a task that moves repeatedly is given again the data that went down with a peer") {
  const auto outcome = run_scenario(R"(
run.seed = 43139
engine = { kind = "virtual", time_limit = "10min" }
peers = { count = 4, speed_min = 2.65, speed_max = 2.65 }
graph = { kind = "barabasi-albert", attachments = 2 }
workload = { kind = "matrix", portion_time = "250ms", dims = 9, tg_prob_connected = 0.541, independent = 5 }
[network]
latency = "lognormal"
delay = "100ms"
sigma = 0.396
bandwidth_down = "46Mbit/s"
bandwidth_by_speed = true
loss = 0.00514
[[scheduler]]
use = "vector"
locator = "eager"
tick = "740ms"
requests_until = "110s"
benchmark = "74ms"
lease = "41s"
[faults]
crash_share = 0.253
crash_from = "600ms"
crash_until = "4300ms"
[[faults.event]]
at = "40ms"
peer = 0
kind = "join"
[[faults.event]]
at = "3200ms"
peer = 3
kind = "join"
)");
  check_sound(outcome);
  CHECK(metric(outcome, "completed") == 9 * 9 + 5);
}

TEST_CASE("no task of a graph is lost in a network that is cut and heals") {
  const std::string cut =
      base + "[[network.partition]]\nfrom = \"500ms\"\nuntil = \"20s\"\nshare = 0.4\n";
  for (std::uint32_t seed = 0; seed < test::seeds(6); ++seed) {
    const auto outcome = run_scenario(cut, seed, 0, {.command_line = ways[seed % std::size(ways)]});
    check_sound(outcome);
    CHECK(metric(outcome, "completed") == tasks);
  }
}

// A task removes its forwarders when it begins. Peers beyond the cut hear of it only after all
// peers have stopped repeating it.
TEST_CASE("no forwarder is left of a task that began while the network was cut for long") {
  const std::string cut = R"(
engine.kind = "virtual"
peers.count = 13
workload = { kind = "matrix", dims = 12, portion_time = "6200ms", independent = 6 }
[[network.partition]]
from = "76s"
until = "110s"
[[scheduler]]
use = "vector"
locator = "forwarders"
)";
  for (std::uint32_t seed = 0; seed < test::seeds(2); ++seed) check_sound(run_scenario(cut, seed));
}

// Beyond a cut, or where many messages are lost, a task is taken for lost that is not, and placed
// again: two copies of it look, and are looked for.
TEST_CASE("a task that is placed again leads neither copy astray") {
  const std::string cut = R"(
engine.kind = "virtual"
run.seed = 3
peers.count = 3
graph.kind = "star"
workload.kind = "matrix"
[[network.partition]]
from = "1300ms"
until = "23s"
[[scheduler]]
use = "vector"
locator = "forwarders"
)";
  const std::string lossy = R"(
engine.kind = "virtual"
run.seed = 1
peers.count = 3
network.loss = 0.0866
workload = { kind = "matrix", portion_time = "530ms", edge_bytes = 294 }
[[files.input]]
size = 2806
[[scheduler]]
use = "vector"
locator = "forwarders"
find_first = 6
)";
  for (const std::string& text : {cut, lossy}) {
    const auto outcome = run_scenario(text);
    check_sound(outcome);
    CHECK(metric(outcome, "reissues") > 0);
  }
}

}  // namespace rhizome::vector_graphs_test
