#include <doctest/doctest.h>

#include <map>

#include "agents/facts.hpp"
#include "test/support/experiments.hpp"

namespace rhizome {

using test::check_sound;
using test::metric;
using test::run_scenario;

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
  for (const auto& fact : outcome.facts)
    if (fact.name == agents::facts::parent_changed && fact.at < last && fact.other != core::nobody)
      parents[fact.peer.value] = fact.other.value;
  return parents;
}

std::size_t depth(const std::map<std::uint32_t, std::uint32_t>& parents, std::uint32_t peer) {
  std::size_t steps = 0;
  for (auto at = parents.find(peer); at != parents.end() && steps < 1000; ++steps)
    at = parents.find(at->second);
  return steps;
}

}  // namespace

TEST_CASE("the Organic Grid completes every task of twenty different worlds") {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    const auto outcome = run_scenario(base, seed);
    check_sound(outcome);
    CHECK(metric(outcome, "completed") == 60 * 18);
    CHECK(metric(outcome, "utilisation") > 0.6);
  }
}

TEST_CASE("the Organic Grid loses no task when a fifth of the peers crash") {
  for (std::uint32_t seed = 0; seed < 50; ++seed)
    check_sound(run_scenario(
        base, seed, 0, {.command_line = {"faults.crash_share=0.2", "faults.crash_until=3s"}}));
}

TEST_CASE("the Organic Grid survives restarts, loss and duplication at once") {
  for (std::uint32_t seed = 0; seed < 20; ++seed)
    check_sound(
        run_scenario(base, seed, 0,
                     {.command_line = {"faults.crash_share=0.3", "faults.crash_until=3s",
                                       "faults.restart_after=500ms", "network.loss=0.02",
                                       "network.duplication=0.02", "network.latency=lognormal",
                                       "network.delay=30ms"}}));
}

TEST_CASE("work that enters at several peers grows a tree around each") {
  for (std::uint32_t seed = 0; seed < 10; ++seed) {
    const auto outcome =
        run_scenario(base, seed, 0, {.command_line = {"scheduler.organic-grid.roots=3"}});
    check_sound(outcome);
    std::map<std::uint64_t, int> joins;
    for (const auto& fact : outcome.facts)
      if (fact.name == agents::facts::parent_changed && fact.reason == "join")
        ++joins[fact.subject];
    CHECK(joins.size() == 3);
  }
}

TEST_CASE("jobs that arrive over time are all done and nobody ends before") {
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
  for (std::uint32_t seed = 0; seed < 20; ++seed)
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

}  // namespace rhizome
