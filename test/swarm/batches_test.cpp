// Properties of a batch of jobs under every scheduler with trees, controllers, or both.
#include <doctest/doctest.h>

#include <array>
#include <string>
#include <vector>

#include "test/support/effort.hpp"
#include "test/support/experiments.hpp"

namespace rhizome::batches_test {

using test::check_sound;
using test::metric;
using test::run_scenario;

namespace {

constexpr std::array schedulers{"organic-grid", "air-traffic", "hybrid"};

std::string batch(const std::string& scheduler) {
  return R"(
peers.count = 60
workload.jobs = 60
engine.kind = "virtual"
engine.time_limit = "5min"
engine.grace = "30s"
[[scheduler]]
use = ")" +
         scheduler + "\"\n";
}

void check_sound_under_all(const std::vector<std::string>& faults, std::uint32_t worlds) {
  for (const char* scheduler : schedulers)
    for (std::uint32_t seed = 0; seed < test::seeds(worlds); ++seed)
      check_sound(run_scenario(batch(scheduler), seed, 0, {.command_line = faults}));
}

}  // namespace

TEST_CASE("every task of twenty different worlds is completed, and peers are kept busy") {
  for (const char* scheduler : schedulers) {
    CAPTURE(scheduler);
    for (std::uint32_t seed = 0; seed < test::seeds(20); ++seed) {
      const auto outcome = run_scenario(batch(scheduler), seed);
      check_sound(outcome);
      CHECK(metric(outcome, "completed") == 60 * 18);
      CHECK(metric(outcome, "utilisation") > 0.6);
    }
  }
}

TEST_CASE("no task is lost when a fifth of the peers crash, leaders included") {
  check_sound_under_all({"faults.crash_share=0.2", "faults.crash_until=3s"}, 50);
}

TEST_CASE("no task is lost under restarts, loss and duplication at once") {
  check_sound_under_all(
      {"faults.crash_share=0.3", "faults.crash_until=3s", "faults.restart_after=500ms",
       "network.loss=0.02", "network.duplication=0.02", "network.latency=lognormal",
       "network.delay=30ms"},
      20);
}

}  // namespace rhizome::batches_test
