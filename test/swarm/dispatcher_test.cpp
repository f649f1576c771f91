// Dispatchers and servers in whole runs: the messages and the knowledge of each policy, and that no
// task is lost.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "test/support/experiments.hpp"

namespace rhizome::dispatcher_test {

using agents::dispatching::ChoiceOutdated;
using test::check_sound;
using test::metric;
using test::run_scenario;

namespace {

const std::vector<std::string> policies{"random", "round-robin", "jsq",   "jsq-d",    "lwl",
                                        "lwl-d",  "jiq",         "jbt-d", "threshold"};

std::string world(const std::string& options, const std::string& more = "") {
  return R"(
peers.count = 9
peers.speed_min = 1
peers.speed_max = 1
peers.source = "fastest"
network.latency = "constant"
workload.jobs = 300
workload.portions = 3
workload.portion_time = "1s"
workload.portion_distribution = "exponential"
workload.arrivals = "exponential"
workload.spacing = "500ms"
engine.kind = "virtual"
engine.time_limit = "10h"
engine.sample_every = "1h"
)" + more +
         R"(
[[scheduler]]
use = "dispatcher"
)" + options;
}
std::string policy(const std::string& name) { return "policy = \"" + name + "\"\n"; }

// Messages of these names, for each task.
double sent(const scenarios::Outcome& outcome, const std::vector<std::string>& names) {
  double sum = 0;
  for (const auto& kind : outcome.kinds)
    for (const std::string& name : names)
      if (kind.name == name)
        for (const auto& peer : outcome.peers)
          for (const auto& row : peer.burdens)
            if (row.service == kind.service_index && row.type == kind.type)
              sum += static_cast<double>(row.sent.messages);
  return sum / static_cast<double>(outcome.tasks.size());
}
double state_messages(const scenarios::Outcome& outcome) {
  return sent(outcome, {"query", "standing", "threshold", "free"});
}

}  // namespace

TEST_CASE("without delay every policy does all work, once, with messages as its definition says") {
  for (const std::string& name : policies) {
    CAPTURE(name);
    const auto outcome = run_scenario(world(policy(name), "network.delay = \"0s\"\n"));
    check_sound(outcome);
    const double state = state_messages(outcome);
    if (name == "random" || name == "round-robin") CHECK(state == 0);
    if (name == "jsq" || name == "lwl") CHECK(state == 16);
    if (name == "jsq-d" || name == "lwl-d") CHECK(state == 4);
    if (name == "jiq") CHECK(state < 1);
    CHECK(sent(outcome, {"ask", "missing", "noted"}) == 0);
    const bool asks = name.starts_with("jsq") || name.starts_with("lwl");
    if (asks) CHECK(outcome.facts.of<ChoiceOutdated>().empty());
  }
}

TEST_CASE(
    "load known of all servers gives shorter responses than of two, and of two than of none") {
  const auto response = [](const std::string& name) {
    double sum = 0;
    for (std::uint32_t repetition = 0; repetition < 10; ++repetition)
      sum += metric(run_scenario(world(policy(name), "network.delay = \"0s\"\n"), repetition),
                    "mean_response");
    return sum;
  };
  const double blind = response("random");
  const double two = response("lwl-d");
  const double all = response("lwl");
  CHECK(all < two);
  CHECK(two < blind);
  CHECK(response("threshold") < blind);
  CHECK(response("jiq") < blind);
  CHECK(response("jbt-d") < blind);
}

TEST_CASE("several dispatchers do all work, and choose by state that another has changed") {
  for (const std::string& name : policies) {
    CAPTURE(name);
    const auto outcome = run_scenario(world(policy(name) + "dispatchers = 3\nservers = \"all\"\n"));
    check_sound(outcome);
    if (name == "lwl") CHECK(!outcome.facts.of<ChoiceOutdated>().empty());
  }
}

TEST_CASE("no task is lost where servers, dispatchers and messages are, under any policy") {
  const std::string faults = R"(
network.loss = 0.05
[[faults.event]]
at = "20s"
peer = 4
restart_after = "20s"
[[faults.event]]
at = "30s"
peer = 5
[[faults.event]]
at = "50s"
peer = 2
restart_after = "20s"
)";
  for (const std::string& name : policies)
    for (const std::string count : {"1", "3"}) {
      CAPTURE(name);
      CAPTURE(count);
      const auto outcome =
          run_scenario(world(policy(name) + "dispatchers = " + count + "\n", faults));
      check_sound(outcome);
      CHECK(outcome.ending == core::Ending::finished);
    }
}

TEST_CASE("a question that is lost is repeated as soon as its answer is overdue") {
  const std::string lost = "network.delay = \"5ms\"\nnetwork.loss = 0.01\n";
  const auto outcome = run_scenario(world(policy("lwl") + "patience = \"100s\"\n", lost));
  check_sound(outcome);
  const auto calm = run_scenario(world(policy("lwl"), "network.delay = \"5ms\"\n"));
  CHECK(metric(outcome, "mean_queueing") < 1.5 * metric(calm, "mean_queueing"));
}

TEST_CASE("least work left errs where durations are told wrongly, and first come does not mind") {
  const std::string both = world(policy("lwl"), "network.delay = \"0s\"\n") +
                           "[[scheduler]]\nuse = \"dispatcher\"\nlabel = \"in-turn\"\n" +
                           policy("round-robin");
  const auto response = [&](std::size_t scheduler, const std::string& error) {
    double sum = 0;
    for (std::uint32_t repetition = 0; repetition < 10; ++repetition)
      sum += metric(run_scenario(both, repetition, scheduler,
                                 {.command_line = {"workload.estimate_error=" + error}}),
                    "mean_response");
    return sum;
  };
  CHECK(response(0, "0") < response(0, "2"));
  CHECK(response(1, "0") == response(1, "2"));
}

}  // namespace rhizome::dispatcher_test
