// Every way to schedule behaves on threads as in virtual time.
#include <doctest/doctest.h>

#include "test/support/experiments.hpp"
#include "tools/agree/agreement.hpp"

namespace rhizome::schedulers_test {

namespace {

const std::string base = R"(
peers.count = 30
workload.jobs = 15
workload.portion_time = "100ms"
network.latency = "constant"
network.delay = "1ms"
[[scheduler]]
)";

std::vector<tools::EngineRun> runs_of(const std::string& scheduler) {
  std::vector<tools::EngineRun> runs;
  for (const char* engine : {"engine.kind=virtual", "engine.kind=threads"})
    for (std::uint32_t repetition = 0; repetition < 4; ++repetition) {
      const auto outcome =
          test::run_unspoilt(base + scheduler, repetition, {.command_line = {engine}});
      test::check_sound(outcome);
      runs.push_back({tools::figures_of(outcome), tools::phases_of(outcome)});
    }
  return runs;
}

// Differences of a machine that was busy all the time are its own.
bool conclusive(const tools::Agreement& agreement) {
  const bool sound = agreement.doubts.empty();
  if (!sound) MESSAGE("the machine is too busy: nothing compared");
  return sound;
}

}  // namespace

TEST_CASE("children that follow the load and groups cost the same on both engines") {
  const std::vector<tools::Margin> margins{{"makespan", 0.15}, {"job_messages", 0.15}};
  for (const char* scheduler : {"use = \"organic-grid\"\nwidest = 12", "use = \"hybrid\""}) {
    const auto agreements = tools::agree(runs_of(scheduler), margins);
    if (!conclusive(agreements.front())) continue;
    for (const auto& metric : agreements.front().metrics) {
      CAPTURE(scheduler);
      CAPTURE(metric.margin.metric);
      CHECK(metric.verdict != tools::Equivalence::different);
    }
  }
}

TEST_CASE("the Sparrow family behaves alike on both engines") {
  const std::string sparrow =
      "use = \"sparrow\"\nself_assign = true\nmax_hops = 5\nview = \"gradient\"\n"
      "detector_round = \"1s\"\n";
  const std::string work =
      "[engine]\ntime_limit = \"60s\"\n[workload]\nportions = 1\njobs = 50\n"
      "portion_time = \"500ms\"\nspacing = \"30ms\"\nstart = \"1s\"\n";
  std::vector<tools::EngineRun> runs;
  for (const char* engine : {"engine.kind=virtual", "engine.kind=threads"})
    for (std::uint32_t repetition = 0; repetition < 4; ++repetition) {
      const auto outcome = test::run_unspoilt(
          work +
              "[peers]\ncount = 30\n[network]\nlatency = \"constant\"\ndelay = \"5ms\"\n"
              "[[scheduler]]\n" +
              sparrow,
          repetition, {.command_line = {engine}});
      test::check_sound(outcome);
      CHECK(test::metric(outcome, "completed") == 50);
      runs.push_back({tools::figures_of(outcome), tools::phases_of(outcome)});
    }
  const std::vector<tools::Margin> margins{{"makespan", 0.1},
                                           {"mean_response", 0.1},
                                           {"job_messages", 0.05},
                                           {"information_messages", 0.1}};
  const auto agreements = tools::agree(runs, margins);
  if (!conclusive(agreements.front())) return;
  for (const auto& metric : agreements.front().metrics) {
    CAPTURE(metric.margin.metric);
    CHECK(metric.verdict != tools::Equivalence::different);
    if (metric.margin.metric == "job_messages")
      CHECK(metric.verdict == tools::Equivalence::equivalent);
  }
}

}  // namespace rhizome::schedulers_test
