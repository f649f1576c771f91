#include <doctest/doctest.h>

#include "test/support/experiments.hpp"
#include "tools/agree/agreement.hpp"

namespace rhizome::agree_test {

using tools::Equivalence;

namespace {

const std::string scenario = R"(
peers.count = 20
workload.jobs = 20
workload.portion_time = "50ms"
[[scheduler]]
use = "air-traffic"
)";

void add(std::vector<tools::EngineRun>& runs, const std::vector<std::string>& overrides) {
  for (std::uint32_t repetition = 0; repetition < 3; ++repetition) {
    const auto outcome =
        test::run_unspoilt(scenario, repetition, {.environment = {}, .command_line = overrides});
    runs.push_back({tools::figures_of(outcome), tools::phases_of(outcome)});
  }
}

// What virtual time is compared with; made once, for real time passes meanwhile.
const std::vector<tools::EngineRun>& threads() {
  static const auto runs = [] {
    std::vector<tools::EngineRun> made;
    add(made, {"engine.kind=threads"});
    return made;
  }();
  return runs;
}

const std::vector<tools::Margin> margins{{"makespan", 0.15}, {"result_messages", 0.05}};

}  // namespace

TEST_CASE("threads and virtual time agree") {
  std::vector<tools::EngineRun> runs = threads();
  add(runs, {"engine.kind=virtual"});
  const auto agreements = tools::agree(runs, margins);
  if (!agreements.front().doubts.empty()) {
    MESSAGE("the machine is too busy: nothing compared");
    return;
  }
  for (const auto& metric : agreements.front().metrics) {
    CAPTURE(metric.margin.metric);
    CHECK(metric.verdict == Equivalence::equivalent);
  }
}

// Virtual time carries these faults, because retries after a loss last too long in real time.
TEST_CASE("delays and losses in virtual time only are found out against sound threads") {
  const std::vector<std::string> slow{"engine.kind=virtual", "network.latency=constant",
                                      "network.delay=30ms"};
  const std::vector<std::string> lossy{"engine.kind=virtual", "network.loss=0.1"};
  for (const auto& fault : {slow, lossy}) {
    CAPTURE(fault.back());
    std::vector<tools::EngineRun> runs = threads();
    add(runs, fault);
    const auto agreements = tools::agree(runs, margins);
    CHECK(agreements.front().metrics.front().verdict == Equivalence::different);
    // On a machine too busy for sound runs nothing may be concluded.
    const bool doubtful = agreements.front().invalid > 0;
    CHECK(tools::overall(agreements) ==
          (doubtful ? Equivalence::too_wide : Equivalence::different));
  }
}

TEST_CASE("an engine with a fault of its own is found out, and the phase in which it shows") {
  std::vector<tools::EngineRun> runs;
  add(runs, {"engine.kind=virtual"});
  add(runs, {"engine.kind=threads", "network.latency=constant", "network.delay=30ms"});
  const auto makespan = tools::agree(runs, margins).front().metrics.front();
  CHECK(makespan.verdict == Equivalence::different);
  CHECK(makespan.first_phase.has_value());
}

}  // namespace rhizome::agree_test
