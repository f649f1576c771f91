// Provisioned runs on threads: threads of peers that begin lives and leave while others work.
#include <doctest/doctest.h>

#include <string>

#include "agents/provision/facts.hpp"
#include "test/support/central_worlds.hpp"

namespace rhizome::provision_test {

namespace {

const std::string base = test::equal_peers(10, "1ms", "threads") + R"(
workload.jobs = 2
workload.portions = 60
workload.portion_time = "60ms"
workload.spacing = "2500ms"
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
  test::check_nothing_killed(outcome);
  CHECK(test::metric(outcome, "most_nodes") > 2);
  CHECK(outcome.facts.of<agents::provision::NodeReleased>().size() > 0);
}

}  // namespace rhizome::provision_test
