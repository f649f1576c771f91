// Whole runs over lines that are slow for their traffic. No peer fails, so a slow peer must not be
// taken for lost: nothing is lost, given up or run twice, and repeated messages do not fill the
// line.
#include <doctest/doctest.h>

#include <string>

#include "test/support/effort.hpp"
#include "test/support/experiments.hpp"

namespace rhizome::slow_lines_test {

using test::check_sound;
using test::metric;
using test::run_scenario;

namespace {

const std::string schedulers =
    test::schedulers({"air-traffic", "sparrow", "vector", "round-robin", "wander"});
constexpr std::size_t scheduler_count = 5;

const std::string burst = R"(
peers.count = 4
workload.jobs = 2
workload.portions = 400
workload.portion_time = "1ms"
engine.kind = "virtual"
)" + schedulers;

const std::string file = R"(
peers.count = 3
workload.jobs = 1
workload.portions = 2
workload.portion_time = "100ms"
engine.kind = "virtual"
files.output = 50_000
[[files.input]]
name = "f"
size = 300_000
)" + schedulers;

void check_calm(const std::string& text, const std::string& rate) {
  for (std::size_t scheduler = 0; scheduler < scheduler_count; ++scheduler)
    for (std::uint32_t seed = 0; seed < test::seeds(3); ++seed) {
      const auto outcome = run_scenario(
          text, seed, scheduler,
          {.command_line = {"network.bandwidth_up=" + rate, "network.bandwidth_down=" + rate}});
      check_sound(outcome);
      INFO(outcome.identity.label << " at " << rate);
      CHECK(outcome.ending == core::Ending::finished);
      CHECK(metric(outcome, "reexecutions") == 0);
      CHECK(outcome.facts.of<agents::TaskReissued>().empty());
    }
}

}  // namespace

TEST_CASE("a burst of messages on a slow line is not taken for the death of its sender") {
  for (const char* rate : {"30kbit/s", "100kbit/s", "1Mbit/s"}) check_calm(burst, rate);
}

TEST_CASE("chunks of files on a slow line are not taken for the death of their sender") {
  for (const char* rate : {"30kbit/s", "200kbit/s", "1Mbit/s", "10Mbit/s"}) check_calm(file, rate);
}

TEST_CASE("unanswered messages are repeated more and more rarely, however many tries are allowed") {
  const auto outcome = run_scenario(
      file, 0, 4,
      {.command_line = {"network.bandwidth_up=30kbit/s", "network.bandwidth_down=30kbit/s",
                        "scheduler.wander.repeat=10ms"}});
  check_sound(outcome);
  CHECK(metric(outcome, "job_messages") < 30);
}

}  // namespace rhizome::slow_lines_test
