// Provisioned runs on threads: threads of peers that begin lives and leave while others work.
#include <doctest/doctest.h>

#include <string>

#include "agents/facts.hpp"
#include "agents/provision/facts.hpp"
#include "test/support/experiments.hpp"

namespace rhizome::provision_test {

namespace {

const std::string base = R"(
peers.count = 10
peers.source = "fastest"
peers.speed_min = 1
peers.speed_max = 1
workload.jobs = 2
workload.portions = 60
workload.portion_time = "60ms"
workload.spacing = "2500ms"
network.latency = "constant"
network.delay = "1ms"
engine.kind = "threads"
engine.time_limit = "60s"
engine.grace = "20s"
[provision]
policy = "formula"
min_nodes = 2
interval = "200ms"
startup = "100ms"
step = 2
[[scheduler]]
use = "master-worker"
ping_period = "500ms"
repeat = "200ms"
)";

}  // namespace

TEST_CASE("threads of nodes begin and end by need, and no task is lost or begun twice") {
  const auto outcome = test::run_scenario(base);
  test::check_sound(outcome);
  CHECK(outcome.failure.empty());
  for (const auto& task : outcome.tasks) {
    REQUIRE(task.completions == 1);
    REQUIRE(task.starts == 1);
  }
  CHECK(test::metric(outcome, "most_nodes") > 2);
  CHECK(outcome.facts.of<agents::provision::NodeReleased>().size() > 0);
  CHECK(outcome.facts.of<agents::ServiceLost>().empty());
}

}  // namespace rhizome::provision_test
