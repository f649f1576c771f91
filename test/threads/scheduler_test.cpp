// The Organic Grid and its relatives on real threads, small enough for the sanitizers.
#include <doctest/doctest.h>

#include <chrono>
#include <string>
#include <vector>

#include "test/support/effort.hpp"
#include "test/support/experiments.hpp"
#include "test/support/machine_failure.hpp"

namespace rhizome::scheduler_test {

using test::check_sound;
using test::metric;
using test::run_scenario;

namespace {

const std::string base = R"(
peers.count = 50
workload.jobs = 20
workload.portion_time = "50ms"
engine.kind = "threads"
engine.time_limit = "60s"
engine.grace = "20s"
)" + test::schedulers({"organic-grid", "air-traffic", "hybrid"});

}  // namespace

TEST_CASE(
    "when a machine fails the threads of all its peers stop, and the others do all the work") {
  const std::string text = R"(
peers.count = 24
workload.jobs = 60
workload.portion_time = "100ms"
engine.kind = "threads"
engine.machines = 3
engine.time_limit = "60s"
engine.grace = "20s"
[[faults.machine]]
at = "1s"
machine = 1
)" + test::schedulers({"organic-grid"});
  const auto outcome = run_scenario(text);
  check_sound(outcome);
  CHECK(metric(outcome, "completed") == 60 * 18);
  // However busy this machine is, not that late.
  test::check_machine_failed(outcome, 8, 16, core::Time{std::chrono::milliseconds(1500)});
}

TEST_CASE("fifty peer threads do all the work under every scheduler") {
  for (const std::size_t scheduler : {0U, 1U, 2U}) {
    const auto outcome = run_scenario(base, 0, scheduler);
    check_sound(outcome);
    CHECK(metric(outcome, "completed") == 20 * 18);
    CHECK(outcome.identity.engine == "threads");
  }
}

TEST_CASE("no task is lost on threads when a fifth of the peers crash") {
  for (std::uint32_t seed = 0; seed < test::seeds(2); ++seed)
    for (const std::size_t scheduler : {0U, 1U, 2U})
      check_sound(
          run_scenario(base, seed, scheduler,
                       {.command_line = {"faults.crash_share=0.2", "faults.crash_until=800ms",
                                         "engine.time_scale=3"}}));
}

void check_real_work(std::vector<std::string> keys, double tasks) {
  for (const std::size_t scheduler : {0U, 1U, 2U}) {
    const auto outcome = run_scenario(base, 0, scheduler, {.command_line = keys});
    check_sound(outcome);
    CHECK(metric(outcome, "completed") == tasks);
  }
}

TEST_CASE("real matrix products run beside the messages of their peers") {
  check_real_work({"workload.work=matrix", "workload.matrix_order=64", "workload.jobs=5"}, 5 * 18);
}

TEST_CASE("so do conjugate gradients") {
  check_real_work({"workload.work=cg", "workload.jobs=1", "workload.portion_time=100ms"}, 18);
}

}  // namespace rhizome::scheduler_test
