#include <doctest/doctest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "agents/facts.hpp"
#include "test/support/effort.hpp"
#include "test/support/experiments.hpp"

namespace rhizome::organic_grid_test {

using test::check_sound;
using test::metric;
using test::run_scenario;
using namespace std::chrono_literals;

namespace {

const std::string base = R"(
peers.count = 60
workload.jobs = 60
engine.kind = "virtual"
engine.time_limit = "5min"
engine.grace = "30s"
[[scheduler]]
use = "organic-grid"
)";

// The parent of every peer when half of the tasks had completed.
std::map<std::uint32_t, std::uint32_t> tree_of(const scenarios::Outcome& outcome) {
  core::Time last{};
  for (const auto& task : outcome.tasks) last = std::max(last, task.completed_at);
  std::map<std::uint32_t, std::uint32_t> parents;
  for (const auto& noted : outcome.facts.of<agents::ParentChanged>())
    if (noted.at < last && noted.fact.parent != core::no_peer)
      parents[noted.peer.value] = noted.fact.parent.value;
  return parents;
}

std::size_t depth(const std::map<std::uint32_t, std::uint32_t>& parents, std::uint32_t peer) {
  std::size_t steps = 0;
  for (auto at = parents.find(peer); at != parents.end() && steps < 1000; ++steps)
    at = parents.find(at->second);
  return steps;
}

}  // namespace

TEST_CASE("work that enters at several peers grows a tree around each") {
  for (std::uint32_t seed = 0; seed < test::seeds(10); ++seed) {
    const auto outcome =
        run_scenario(base, seed, 0, {.command_line = {"scheduler.organic-grid.roots=3"}});
    check_sound(outcome);
    std::map<core::PeerId, int> joins;
    for (const auto& noted : outcome.facts.of<agents::ParentChanged>())
      if (noted.fact.reason == "join") ++joins[noted.fact.root];
    CHECK(joins.size() == 3);
  }
}

TEST_CASE("jobs that arrive over time are all done and no peer ends before") {
  const auto outcome = run_scenario(base, 1, 0, {.command_line = {"workload.spacing=300ms"}});
  check_sound(outcome);
  CHECK(metric(outcome, "makespan") > 59 * 0.3);
}

TEST_CASE("promotion brings fast peers nearer to the root than slow ones") {
  double fast = 0;
  double slow = 0;
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    const auto outcome = run_scenario(base, seed, 0, {.command_line = {"workload.jobs=200"}});
    const auto parents = tree_of(outcome);
    double fast_depth = 0, slow_depth = 0, fast_count = 0, slow_count = 0;
    for (const auto& peer : outcome.peers) {
      if (!parents.contains(peer.id.value)) continue;  // the root
      const bool quick = peer.speed > 0.75;
      (quick ? fast_depth : slow_depth) += static_cast<double>(depth(parents, peer.id.value));
      ++(quick ? fast_count : slow_count);
    }
    fast += fast_depth / fast_count;
    slow += slow_depth / slow_count;
  }
  CHECK(fast < slow);
}

TEST_CASE("a tree that follows the load loses no task when a fifth of the peers crash") {
  for (std::uint32_t seed = 0; seed < test::seeds(20); ++seed)
    check_sound(
        run_scenario(base, seed, 0,
                     {.environment = {},
                      .command_line = {"scheduler.organic-grid.widest=24", "faults.crash_share=0.2",
                                       "faults.crash_until=3s"}}));
}

TEST_CASE("a larger number of children makes a flatter tree and fewer job messages") {
  const auto narrow = run_scenario(base, 3, 0,
                                   {.command_line = {"scheduler.organic-grid.max_children=2",
                                                     "scheduler.organic-grid.max_potential=1"}});
  const auto wide = run_scenario(base, 3, 0,
                                 {.command_line = {"scheduler.organic-grid.max_children=60",
                                                   "scheduler.organic-grid.max_potential=60"}});
  check_sound(narrow);
  check_sound(wide);
  CHECK(metric(wide, "job_portions") < metric(narrow, "job_portions"));
}

TEST_CASE("no result reaches the root twice while nothing is lost") {
  for (std::uint32_t seed = 0; seed < 5; ++seed) {
    const auto outcome = run_scenario(
        base, seed, 0, {.command_line = {"peers.count=200", "network.latency=constant"}});
    check_sound(outcome);
    CHECK(metric(outcome, "duplicates") <= 0.02 * 60 * 18);
  }
}

TEST_CASE("packets that come twice make no task run twice") {
  for (std::uint32_t seed = 0; seed < 5; ++seed) {
    const auto outcome = run_scenario(base, seed, 0, {.command_line = {"network.duplication=0.2"}});
    check_sound(outcome);
    CHECK(metric(outcome, "reexecutions") == 0);
  }
}

TEST_CASE("a lost supply is made good in a second or two, however unequal tasks are") {
  for (std::uint32_t seed = 0; seed < 5; ++seed) {
    const std::vector<std::string> unequal{"workload.portion_distribution=exponential",
                                           "workload.portion_time=1s"};
    std::vector<std::string> lossy = unequal;
    lossy.emplace_back("network.loss=0.02");
    const auto calm = run_scenario(base, seed, 0, {.command_line = unequal});
    const auto outcome = run_scenario(base, seed, 0, {.command_line = lossy});
    check_sound(outcome);
    CHECK(metric(outcome, "makespan") < 1.3 * metric(calm, "makespan") + 5);
  }
}

TEST_CASE("no peer is locked out of a narrow tree, and no task is lost in it") {
  for (std::uint32_t seed = 0; seed < test::seeds(20); ++seed) {
    const auto outcome = run_scenario(R"(
peers.count = 8
workload = { jobs = 10, portions = 40, portion_time = "5s", spacing = "3s", arrivals = "exponential" }
engine = { kind = "virtual", time_limit = "1h", grace = "2min" }
[[scheduler]]
use = "organic-grid"
max_children = 1
max_potential = 1
steal_more = 3
roots = 2
prefetch = false
)",
                                      seed);
    check_sound(outcome);
    CHECK(metric(outcome, "utilisation") > 0.6);
  }
}

TEST_CASE("when the root dies every peer notes it and ends soon") {
  for (std::uint32_t seed = 0; seed < test::seeds(10); ++seed) {
    const auto whole = run_scenario(base, seed);
    const auto root = tree_of(whole).begin()->second;
    auto top = root;
    for (auto parents = tree_of(whole); parents.contains(top);) top = parents[top];
    const auto outcome = run_scenario(
        "faults.event = [{ at = \"1s\", peer = " + std::to_string(top) + " }]\n" + base, seed);
    CHECK(outcome.facts.of<agents::RunFailed>().size() == 59);
    CHECK(core::seconds(outcome.ended) < 60);
    for (const auto& peer : outcome.peers) CHECK((peer.finished || !peer.alive));
  }
}

TEST_CASE("peers that were cut off for so long that they gave up come back and lose no task") {
  for (std::uint32_t seed = 0; seed < 5; ++seed) {
    const auto outcome = run_scenario(
        "network.partition = [{ from = \"1s\", until = \"40s\", "
        "share = 0.4 }]\nworkload.spacing = \"1s\"\nworkload.portion_time = \"2s\"\n" +
            base,
        seed, 0, {.command_line = {"scheduler.organic-grid.give_up=20s", "engine.grace=2min"}});
    check_sound(outcome);
    std::set<std::uint32_t> gave_up;
    std::set<std::uint32_t> back;
    for (const auto& noted : outcome.facts.of<agents::RunFailed>())
      gave_up.insert(noted.peer.value);
    for (const auto& noted : outcome.facts.of<agents::ParentChanged>())
      if (noted.fact.reason == "join" && noted.at > core::Time{} + 40s)
        back.insert(noted.peer.value);
    CHECK(gave_up.size() > 10);
    CHECK(10 * back.size() >= 9 * gave_up.size());  // work may end before the last has returned
  }
}

}  // namespace rhizome::organic_grid_test
