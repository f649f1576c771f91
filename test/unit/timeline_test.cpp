#include <doctest/doctest.h>

#include <map>

#include "scenarios/timeline/executions.hpp"
#include "scenarios/timeline/trace.hpp"
#include "test/support/experiments.hpp"
#include "test/support/outcomes.hpp"

namespace rhizome {

using namespace scenarios;
using namespace std::chrono_literals;
using agents::subject_of;
using core::nobody;

namespace {

void start(Outcome& outcome, core::Duration when, std::uint32_t peer, agents::TaskId task) {
  test::say(outcome, when, peer, agents::facts::task_started, subject_of(task), nobody);
}
void end(Outcome& outcome, core::Duration when, std::uint32_t peer, agents::TaskId task) {
  test::say(outcome, when, peer, agents::facts::task_executed, subject_of(task), nobody);
}

}  // namespace

TEST_CASE("executions that overlap on a peer lie on lanes of their own") {
  Outcome outcome = test::quiet_outcome(2);
  start(outcome, 1s, 0, {0, 0});
  start(outcome, 2s, 0, {0, 1});
  end(outcome, 3s, 0, {0, 0});
  start(outcome, 3s, 0, {0, 2});
  end(outcome, 4s, 0, {0, 1});
  end(outcome, 5s, 0, {0, 2});
  const auto executions = executions_of(outcome);
  REQUIRE(executions.size() == 3);
  CHECK(executions[0].lane == 0);
  CHECK(executions[1].lane == 1);
  CHECK(executions[2].lane == 0);
}

TEST_CASE("what a peer was running when it crashed ended there") {
  Outcome outcome = test::quiet_outcome(2);
  outcome.faults.push_back({.at = test::at(2s), .peer = core::PeerId{1}});
  start(outcome, 1s, 1, {0, 0});
  start(outcome, 3s, 1, {0, 1});
  end(outcome, 4s, 1, {0, 1});
  const auto executions = executions_of(outcome);
  REQUIRE(executions.size() == 2);
  CHECK(executions[0].until == test::at(2s));
  CHECK_FALSE(executions[0].ended);
  CHECK(executions[1].ended);
}

// The rules of the Trace Event Format that viewers rely on.
TEST_CASE("the trace of a run with crashes is well formed, and no lane overlaps itself") {
  const auto outcome = test::run_scenario(
      "peers.count = 20\npeers.slots = 2\nworkload.jobs = 10\nengine.kind = \"virtual\"\n"
      "faults.crash_share = 0.2\nfaults.crash_until = \"500ms\"\n"
      "engine.log_messages = true\n"
      "[[scheduler]]\nuse = \"organic-grid\"\n");
  const auto json = parse_json(trace_of(outcome));
  REQUIRE(json.has_value());
  std::map<std::pair<std::uint64_t, std::uint64_t>, double> busy_until;
  std::map<std::uint64_t, int> begun;
  std::map<std::uint64_t, int> ended;
  std::size_t executions = 0;
  std::size_t crashes = 0;
  for (const Json& event : json->at("traceEvents")) {
    const std::string kind = event.at("ph");
    REQUIRE(
        (kind == "M" || kind == "X" || kind == "i" || kind == "C" || kind == "s" || kind == "f"));
    if (kind == "M") continue;
    REQUIRE(event.at("ts").get<double>() >= 0);
    crashes += kind == "i" && event.at("name") == "crash" ? 1 : 0;
    if (kind == "s") ++begun[event.at("id")];
    if (kind == "f") ++ended[event.at("id")];
    if (kind != "X" || event.at("cat") == "message") continue;
    ++executions;
    const double from = event.at("ts");
    const double duration = event.at("dur");
    CHECK(duration >= 0);
    double& busy = busy_until[{event.at("pid"), event.at("tid")}];
    CHECK(from >= busy - 1e-3);  // microseconds
    busy = from + duration;
  }
  CHECK(executions >= outcome.tasks.size());
  CHECK(crashes == outcome.faults.size());
  std::uint64_t received = 0;
  for (const PeerOutcome& peer : outcome.peers) received += peer.received;
  CHECK(begun == ended);
  CHECK(begun.size() == received);  // of ids that all differ
  CHECK(busy_until.size() > 20);    // second slots are lanes of their own
}

}  // namespace rhizome
