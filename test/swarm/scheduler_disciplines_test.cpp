// The disciplines of servers under schedulers that decide by themselves what a peer begins when.
#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

#include "agents/discipline.hpp"
#include "test/support/effort.hpp"
#include "test/support/experiments.hpp"
#include "test/support/temporary_file.hpp"

namespace rhizome::scheduler_disciplines_test {

using test::check_sound;
using test::metric;
using test::run_scenario;

namespace {

const std::vector<std::string> schedulers{"use = \"organic-grid\"\n", "use = \"hybrid\"\n",
                                          "use = \"vector\"\n", "use = \"sparrow\"\n",
                                          "use = \"sparrow\"\nsampling = \"batch\"\n"};

// The mean response of three jobs of one task each at a peer that is alone: the other one has
// crashed, and a job before them has shown it. They need 10 s, 6 s and 1 s, and come a second after
// each other.
double response(const std::string& scheduler, const std::string& discipline,
                const std::string& option = {}) {
  const test::TemporaryFile jobs("10 1 0.01\n100 1 10\n101 1 6\n102 1 1\n");
  const std::string text = R"(
peers.count = 2
peers.speed_min = 1
peers.speed_max = 1
peers.source = "fastest"
graph.kind = "complete"
workload.kind = "job-list"
workload.file = ")" + jobs.name() +
                           R"("
network.latency = "constant"
network.delay = "0s"
engine.kind = "virtual"
[[faults.event]]
at = "1s"
peer = 1
[[scheduler]]
)" + scheduler + option;
  const auto outcome =
      run_scenario(text, 0, 0, {.command_line = {"peers.discipline=" + discipline}});
  check_sound(outcome);
  CHECK(metric(outcome, "completed") == 4);
  CHECK(metric(outcome, "executions") == 1);
  double sum = 0;
  for (const scenarios::JobOutcome& job : outcome.jobs)
    if (job.id > 0) sum += core::seconds(job.completed_at - job.arrived);
  return sum / 3;
}

}  // namespace

// First come, first served: until 10 s, 16 s and 17 s. The shortest job: the third before the
// second. The shortest rest: the third from 2 s on, the second until 8 s, the first until 17 s.
TEST_CASE("a peer by itself takes tasks in the order of its discipline under every scheduler") {
  for (const std::string& scheduler : schedulers) {
    CAPTURE(scheduler);
    CHECK(response(scheduler, "fcfs") == doctest::Approx((10 + 15 + 15) / 3.0).epsilon(1e-6));
    CHECK(response(scheduler, "shallowest-first") ==
          doctest::Approx((10 + 15 + 15) / 3.0).epsilon(1e-6));
    CHECK(response(scheduler, "sjf") == doctest::Approx((10 + 16 + 9) / 3.0).epsilon(1e-6));
    CHECK(response(scheduler, "srpt") == doctest::Approx((17 + 7 + 1) / 3.0).epsilon(1e-6));
  }
}

// All three at once: the third ends at 5 s, the second at 14 s. Under the least attained service
// the third goes alone until 3 s, and the others share from then on.
TEST_CASE("a peer by itself divides its processor among all tasks that it holds") {
  for (const std::string& scheduler : schedulers) {
    if (scheduler.find("sparrow") == std::string::npos &&
        scheduler.find("vector") == std::string::npos)
      continue;
    CAPTURE(scheduler);
    CHECK(response(scheduler, "ps") == doctest::Approx((17 + 13 + 3) / 3.0).epsilon(1e-6));
    CHECK(response(scheduler, "las") == doctest::Approx((17 + 12 + 1) / 3.0).epsilon(1e-6));
  }
}

// The window of a peer is one task, which shares the processor with the one that it executes: the
// third waits until the second ends at 13 s. All else may go to others. Under the least attained
// service the second is alone until 2 s and ends at 12 s, and the third is alone after that.
TEST_CASE("a peer of a tree shares its processor among executed and prefetched tasks") {
  for (const std::string& scheduler : {schedulers[0], schedulers[1]}) {
    CAPTURE(scheduler);
    CHECK(response(scheduler, "ps") == doctest::Approx((17 + 12 + 13) / 3.0).epsilon(1e-6));
    CHECK(response(scheduler, "las") == doctest::Approx((17 + 11 + 11) / 3.0).epsilon(1e-6));
  }
}

// A queue of at most `spread_above` tasks is not redistributed.
TEST_CASE("a peer under vector scheduling shares its processor among a short queue") {
  const std::string above = "spread_above = 1\n";
  CHECK(response(schedulers[2], "ps", above) ==
        doctest::Approx((17 + 12 + 13) / 3.0).epsilon(1e-6));
}

TEST_CASE("every scheduler does every task once under every discipline where nothing goes wrong") {
  const std::string base = R"(
peers.count = 16
peers.slots = 2
workload.jobs = 60
workload.portions = 4
workload.portion_distribution = "exponential"
workload.portion_time = "200ms"
workload.spacing = "20ms"
workload.arrivals = "exponential"
workload.memory = 0.3
engine.kind = "virtual"
[[scheduler]]
)";
  for (const std::string& scheduler : schedulers)
    for (const std::string& discipline : agents::discipline_names())
      for (std::uint32_t seed = 0; seed < test::seeds(3); ++seed) {
        CAPTURE(discipline);
        const auto outcome = run_scenario(base + scheduler, seed, 0,
                                          {.command_line = {"peers.discipline=" + discipline}});
        check_sound(outcome);
        CHECK(metric(outcome, "completed") == 240);
        CHECK(metric(outcome, "executions") == 1);
      }
}

TEST_CASE("peers that crash lose no task whatever the discipline") {
  const std::string base = R"(
peers.count = 16
workload.jobs = 60
workload.portions = 4
workload.portion_distribution = "exponential"
engine.kind = "virtual"
[faults]
crash_share = 0.3
crash_until = "2s"
restart_after = "1s"
[[scheduler]]
)";
  for (const std::string& scheduler : schedulers)
    for (const char* discipline : {"srpt", "ps", "las"}) {
      CAPTURE(discipline);
      const auto outcome =
          run_scenario(base + scheduler, 1, 0,
                       {.command_line = {std::string("peers.discipline=") + discipline}});
      check_sound(outcome);
      CHECK(metric(outcome, "completed") == 240);
    }
}

TEST_CASE("a discipline that a scheduler does not support is refused with the reason") {
  const auto refusal = [](const std::string& scheduler, const std::string& discipline) {
    try {
      static_cast<void>(response(scheduler, discipline));
    } catch (const scenarios::InputError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  CHECK(refusal(schedulers[0] + "prefetch = false\n", "ps").find("without prefetch") !=
        std::string::npos);
  CHECK(refusal(schedulers[2] + "spread_above = 0\n", "las").find("spread_above = 0") !=
        std::string::npos);
  CHECK(refusal(schedulers[2] + "locator = \"registry\"\n", "srpt").find("levels") !=
        std::string::npos);
  CHECK(refusal("use = \"omniscient\"\n", "srpt").find("no effect") != std::string::npos);
}

}  // namespace rhizome::scheduler_disciplines_test
