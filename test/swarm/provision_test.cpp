// Provisioned runs in virtual time: nodes that come and go by need, for every scheduler whose peers
// can be drained.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "agents/facts.hpp"
#include "agents/provision/facts.hpp"
#include "agents/scheduler.hpp"
#include "scenarios/experiment/exploration.hpp"
#include "scenarios/text/input_error.hpp"
#include "test/support/central_worlds.hpp"
#include "test/support/effort.hpp"
#include "test/support/temporary_file.hpp"

namespace rhizome::provision_test {

using namespace agents::provision;  // NOLINT(google-build-using-namespace)
using test::check_nothing_killed;
using test::metric;
using test::run_scenario;

namespace {

// Jobs come in two bursts, so that nodes are added, given back and added again.
std::string bursts(const std::string& scheduler, const std::string& provision) {
  return test::equal_peers(12, "5ms", "virtual") + R"(
workload.jobs = 2
workload.portions = 60
workload.portion_time = "4s"
workload.jitter = 0.5
workload.spacing = "200s"
[provision]
)" + provision +
         "\n[[scheduler]]\nuse = \"" + scheduler + "\"\n";
}

std::string by_formula(const std::string& more = "") {
  return "policy = \"formula\"\nmin_nodes = 2\ninterval = \"5s\"\nstartup = \"10s\"\nstep = 2\n" +
         more;
}

std::vector<std::string> provisioned() {
  std::vector<std::string> names;
  for (const agents::Scheduler& scheduler : agents::catalogue())
    if (scheduler.stay) names.emplace_back(scheduler.name);
  return names;
}

void check_refused(const std::string& text, const char* why,
                   const scenarios::Overrides& overrides = {}) {
  CHECK_THROWS_WITH_AS(run_scenario(text, 0, 0, overrides), doctest::Contains(why),
                       scenarios::InputError);
}

}  // namespace

TEST_CASE("nodes are added and given back, and no task is lost or begun twice") {
  REQUIRE(provisioned().size() >= 2);
  for (const std::string& scheduler : provisioned()) {
    CAPTURE(scheduler);
    const auto outcome = run_scenario(bursts(scheduler, by_formula()));
    check_nothing_killed(outcome);
    CHECK(metric(outcome, "most_nodes") > 4);
    CHECK(outcome.facts.of<NodeReleased>().size() > 2);
    const auto& reserved = outcome.facts.of<NodeReserved>();
    CHECK(reserved.size() > metric(outcome, "most_nodes"));  // some a second time
    for (const auto& noted : outcome.facts.of<IndexRead>()) CHECK(noted.fact.reserved >= 2);
  }
}

TEST_CASE("no task begins at a draining node after it has left") {
  const auto outcome = run_scenario(bursts("master-worker", by_formula()));
  for (const auto& left : outcome.facts.of<NodeReleased>()) {
    core::Time back = core::Time::max();
    for (const auto& again : outcome.facts.of<NodeReserved>())
      if (again.fact.node == left.fact.node && again.at >= left.at) back = std::min(back, again.at);
    for (const auto& begun : outcome.facts.of<agents::TaskStarted>())
      if (begun.peer == left.fact.node) CHECK((begun.at <= left.at || begun.at > back));
  }
}

TEST_CASE("a task is not taken for lost that went by a node which has left since") {
  const std::string churning = R"(
engine.kind = "virtual"
peers.count = 27
workload.jobs = 23
workload.portions = 2
workload.portion_time = "4s"
workload.spacing = "280ms"
[provision]
policy = "formula"
min_nodes = 16
interval = "140ms"
startup = "0ms"
[[scheduler]]
use = "organic-grid"
)";
  for (std::uint32_t seed = 0; seed < test::seeds(60); ++seed)
    check_nothing_killed(run_scenario(churning, seed));
}

TEST_CASE("a node works no sooner than it has started, and is paid for from its reservation") {
  const auto outcome = run_scenario(bursts("master-worker", by_formula()));
  const auto& reserved = outcome.facts.of<NodeReserved>();
  for (std::size_t i = 2; i < reserved.size(); ++i)
    for (const auto& begun : outcome.facts.of<agents::TaskStarted>())
      if (begun.peer == reserved[i].fact.node && begun.at >= reserved[i].at) {
        CHECK(begun.at >= reserved[i].at + std::chrono::seconds(10));
        break;
      }
}

TEST_CASE("all nodes all the time are sooner done, and cost more") {
  const auto kept = run_scenario(bursts("master-worker", "policy = \"keep-all\""));
  const auto fitted = run_scenario(bursts("master-worker", by_formula()));
  check_nothing_killed(kept);
  CHECK(metric(kept, "node_drains") == 0);
  CHECK(metric(kept, "makespan") < metric(fitted, "makespan"));
  CHECK(metric(kept, "node_seconds") > 1.3 * metric(fitted, "node_seconds"));
  CHECK(metric(kept, "node_utilisation") < metric(fitted, "node_utilisation"));
}

TEST_CASE("node-seconds are those of every node, until the last task is done") {
  const auto kept = run_scenario(bursts("master-worker", "policy = \"keep-all\""));
  const double end = core::seconds(makespan_of(kept).end.time_since_epoch());
  CHECK(metric(kept, "node_seconds") == doctest::Approx(10 * end));  // all but door and master
}

TEST_CASE("other users wait less where the formula gives way to them") {
  const std::string others =
      "max_nodes = 6\ncluster = 18\nother_jobs = 40\nother_nodes = 8\nother_time = \"15s\"\n"
      "other_spacing = \"10s\"\n";
  const auto kept = run_scenario(bursts("master-worker", "policy = \"keep-all\"\n" + others));
  const auto fitted = run_scenario(bursts("master-worker", by_formula(others)));
  check_nothing_killed(fitted);
  CHECK(kept.facts.of<OtherJobBegan>().size() > 3);
  CHECK(metric(fitted, "others_wait") < metric(kept, "others_wait"));
}

TEST_CASE("other users' jobs come from a log as well, and wait less for a larger cluster") {
  const auto wait = [](const std::string& cluster) {
    const auto outcome = run_scenario(bursts(
        "master-worker", by_formula("others = \"" + test::shipped("scenarios/data/example.swf") +
                                    "\"\ntime_compression = 100\ncluster = " + cluster + "\n")));
    check_nothing_killed(outcome);
    CHECK(outcome.facts.of<OtherJobBegan>().size() > 3);
    return metric(outcome, "others_wait");
  };
  CHECK(wait("400") < wait("100"));
}

TEST_CASE("only nodes that have been idle for their probation are asked to leave") {
  const auto soon = run_scenario(bursts("master-worker", by_formula()));
  const auto late = run_scenario(bursts("master-worker", by_formula("probation = \"30s\"\n")));
  check_nothing_killed(late);
  CHECK(metric(late, "node_drains") > 0);
  CHECK(metric(late, "node_drains") < metric(soon, "node_drains"));
  for (const auto& drains : late.facts.of<NodeDrains>())
    for (const auto& done : late.facts.of<agents::TaskExecuted>())
      if (done.peer == drains.fact.node && done.at <= drains.at)
        CHECK(drains.at - done.at >= std::chrono::seconds(30));
}

TEST_CASE("settings that do not go with provisioning are refused with a sentence") {
  const std::string good = bursts("master-worker", by_formula());
  check_refused(bursts("round-robin", by_formula()), "round-robin: its peers cannot be drained");
  check_refused(good, "a network that loses nothing", {.command_line = {"network.loss=0.1"}});
  check_refused(good + "[[faults.event]]\nat = \"1s\"\npeer = 5\n", "a network that loses nothing");
  check_refused(good, "lower max_nodes", {.command_line = {"provision.max_nodes=11"}});
  check_refused(good, "lower min_nodes",
                {.command_line = {"provision.max_nodes=3", "provision.min_nodes=4"}});
  check_refused(good, "raise cluster", {.command_line = {"provision.cluster=1"}});
  check_refused(
      good, "raise provision.cluster",
      {.command_line = {"provision.others=" + test::shipped("scenarios/data/example.swf")}});
  check_refused(bursts("master-worker", "interval = \"5s\""), "interval");
  check_refused(bursts("master-worker", "policy = \"formula\"\nmargin = 2"), "margin");
  check_refused(bursts("master-worker", "policy = \"keep-all\"\nmin_nodes = 2"), "min_nodes");
  check_refused(bursts("master-worker", by_formula("other_nodes = 2")), "where other_jobs is 0");
  check_refused(bursts("master-worker", by_formula("time_compression = 2")),
                "say provision.others");
}

TEST_CASE("an explorer does not explore peers that come and go by need") {
  const auto cells = scenarios::parse_scenario(bursts("master-worker", by_formula()), "test.toml");
  CHECK_THROWS_WITH_AS(scenarios::Exploration(cells.front(), 0, {}),
                       doctest::Contains("leave [provision] out"), scenarios::InputError);
}

}  // namespace rhizome::provision_test
