// Central schedulers in virtual time: sharing, successions, and deaths at any time.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "agents/central/facts.hpp"
#include "agents/facts.hpp"
#include "core/peer/rng.hpp"
#include "test/support/central_worlds.hpp"
#include "test/support/effort.hpp"

namespace rhizome::central_test {

using agents::central::HeadElected;
using test::check_all_once;
using test::crash;
using test::equal_peers;
using test::metric;
using test::run_scenario;

namespace {

// Eleven peers: the door, the coordinator, the standby and eight workers.
std::string sharing(const std::string& models) {
  return equal_peers(11, "1ms", "virtual") + R"(
workload.jobs = 2
workload.portions = 400
workload.portion_time = "500ms"
workload.spacing = "30s"
[[scheduler]]
use = "coordinator"
models = ")" +
         models + "\"\n";
}

// A run of about three seconds whose deaths are noticed within half a second.
std::string small(const std::string& scheduler, const std::string& option,
                  const std::string& rest = "") {
  return equal_peers(6, "5ms", "virtual") + R"(
workload.jobs = 2
workload.portions = 6
workload.portion_time = "100ms"
workload.spacing = "150ms"
engine.time_limit = "10min"
engine.grace = "10min"
[[scheduler]]
use = ")" +
         scheduler +
         "\"\nping_period = \"100ms\"\ncleanup = \"100ms\"\nrepeat = \"50ms\"\nlongest_cut = "
         "\"1s\"\n" +
         option + "\n" + rest;
}

// The times at which a peer receives a message or ends a task, until all tasks are done.
std::vector<double> event_times(const std::string& scenario) {
  const auto outcome = run_scenario(scenario, 0, 0, {.command_line = {"engine.log_messages=true"}});
  std::set<core::Time> times;
  for (const auto& message : outcome.messages) times.insert(message.received);
  for (const auto& noted : outcome.facts.of<agents::TaskExecuted>()) times.insert(noted.at);
  std::vector<double> list;
  for (const core::Time at : times)
    if (at <= outcome.tasks.back().completed_at) list.push_back(core::seconds(at));
  return list;
}

// The first head dies at each of these times; every time no task is lost or counted twice.
void check_crash_points(const std::string& scenario) {
  const auto times = event_times(scenario);
  REQUIRE(times.size() > 30);
  for (const double at : times) {
    CAPTURE(at);
    check_all_once(run_scenario(scenario + crash(1, at)));
  }
}

bool ends_without_head(const scenarios::Outcome& outcome) {
  const auto& failed = outcome.facts.of<agents::RunFailed>();
  return std::any_of(failed.begin(), failed.end(), [](const auto& noted) {
    return noted.fact.reason.starts_with("the head is dead, and no peer has claimed its office");
  });
}

}  // namespace

TEST_CASE("a coordinator splits eight workers as published, by measured batch times") {
  const auto outcome = run_scenario(sharing("10/5s/0.5s 20/4.2s/0.5s"));
  check_all_once(outcome);
  for (const auto& task : outcome.tasks) REQUIRE(task.executions == 1);
  // A batch of the second takes 4.2 + 20 * 0.5 s: rates of 1 and 1.41, and 5 to 3 is fairest.
  CHECK(metric(outcome, "first_model_workers") == 5);
  CHECK(metric(outcome, "second_model_workers") == 3);
}

TEST_CASE("measured batch times decide, whatever was expected") {
  const auto outcome = run_scenario(sharing("10/5s/0.01s 20/4.2s/9s"));
  check_all_once(outcome);
  CHECK(metric(outcome, "first_model_workers") == 5);
}

TEST_CASE(
    "expected times are work, as executed ones are: twice of both at twice the speed is alike") {
  const auto slow = run_scenario(sharing("10/5s/0.5s 20/4.2s/0.5s"));
  const auto fast = run_scenario(
      sharing("10/10s/1s 20/8.4s/1s"), 0, 0,
      {.command_line = {"peers.speed_min=2", "peers.speed_max=2", "workload.portion_time=1s"}});
  REQUIRE(slow.tasks.size() == fast.tasks.size());
  for (std::size_t i = 0; i < slow.tasks.size(); ++i) {
    REQUIRE(slow.tasks[i].completed_at == fast.tasks[i].completed_at);
    REQUIRE(slow.tasks[i].executor == fast.tasks[i].executor);
  }
}

TEST_CASE("the second job begins as soon as batches have been stopped, not when they end") {
  const auto outcome = run_scenario(sharing("10/5s/0.5s 20/4.2s/0.5s"));
  // Two messages to stop a batch, one to begin another, and the time to load the model.
  CHECK(metric(outcome, "second_job_start") < 4.2 + 0.01);
  std::size_t preempted = 0;
  for (const auto& noted : outcome.facts.of<agents::TaskReissued>())
    preempted += noted.fact.reason == "preempted";
  CHECK(preempted > 0);
  CHECK(preempted <= 3 * 10);  // three batches, no more than the second model's share
}

TEST_CASE("the coordinator dies at every event of a small run, and its standby goes on") {
  check_crash_points(small("coordinator", "models = \"3/0.05s/0.1s 2/0.1s/0.1s\""));
}

TEST_CASE("the master dies at every event of a small run, and the elected goes on") {
  for (const char* election : {"bully", "lease"}) {
    CAPTURE(election);
    check_crash_points(small(
        "master-worker",
        "snapshot = \"70ms\"\nstore = \"memory\"\nelection = \"" + std::string(election) + "\""));
  }
}

TEST_CASE("the master dies at every event beside a store that takes its time and fails") {
  for (const char* election : {"bully", "lease"})
    for (const char* store : {"sqlite", "redis"}) {
      CAPTURE(election);
      CAPTURE(store);
      check_crash_points(
          small("master-worker",
                "snapshot = \"70ms\"\nstore_latency = \"15ms\"\n"
                "store_down_at = \"300ms\"\nstore_down_for = \"400ms\"\nelection = \"" +
                    std::string(election) + "\"\nstore = \"" + store + "\""));
    }
}

TEST_CASE("a successor begins once it has read the snapshot, so that a slow store delays it") {
  const auto delay = [](const std::string& latency) {
    const auto outcome = run_scenario(
        small("master-worker", "snapshot = \"50ms\"\nstore_latency = \"" + latency + "\"") +
        crash(1, 0.25));
    check_all_once(outcome);
    return metric(outcome, "recovery_time");
  };
  CHECK(delay("0s") + 0.2 <= delay("200ms"));
}

TEST_CASE("a run goes on without a store, and stops with a sentence once that lasts too long") {
  const std::string down =
      "snapshot = \"70ms\"\nstore_down_at = \"100ms\"\nstore_patience = \"1s\"\n";
  check_all_once(run_scenario(small("master-worker", down + "store_down_for = \"900ms\"")));
  const auto outcome = run_scenario(small("master-worker", down + "store_down_for = \"1h\""), 0, 0,
                                    {.command_line = {"workload.portions=60"}});
  CAPTURE(outcome.failure);
  CHECK(outcome.failure.find("the store of snapshots has not answered for 1 s: it is down") !=
        std::string::npos);
  for (const auto& task : outcome.tasks) CHECK(task.completions <= 1);
}

TEST_CASE(
    "workers, coordinator and standby die at random times, and no query is lost or counted twice") {
  const std::string text = small("coordinator", "models = \"3/0.05s/0.1s 2/0.1s/0.1s\"");
  std::size_t refused = 0;
  constexpr std::uint32_t worlds = test::seeds(400);
  for (std::uint32_t world = 0; world < worlds; ++world) {
    CAPTURE(world);
    core::Rng rng = core::Rng::derive({world}, "deaths");
    std::string deaths;
    for (std::uint32_t peer = 1; peer <= 3; ++peer)
      if (rng.between(0, 2) > 0) deaths += crash(peer, rng.uniform(0.001, 2.5));
    const auto outcome = run_scenario(text + deaths, world);
    if (!outcome.failure.empty()) {
      ++refused;
      for (const auto& task : outcome.tasks) REQUIRE(task.completions <= 1);
      CHECK(ends_without_head(outcome));
    } else {
      check_all_once(outcome);
    }
  }
  CHECK(refused > 0);
  CHECK(refused < worlds / 4);
}

TEST_CASE("a coordinator and a standby that die together end the run with a sentence") {
  const std::string text = small("coordinator", "models = \"3/0.05s/0.1s 2/0.1s/0.1s\"");
  const auto outcome = run_scenario(text + crash(1, 0.3) + crash(2, 0.31));
  CHECK(ends_without_head(outcome));
  for (const auto& task : outcome.tasks) CHECK(task.completions <= 1);
  // The door heard the head up to 0.1 s before its death; two detections of 0.5 s, and a cut of 1
  // s.
  const core::Time ended = outcome.facts.of<agents::RunFailed>().front().at;
  CHECK(core::seconds(ended) >= 0.3 - 0.1 + 2 * 0.5 + 1);
  CHECK(core::seconds(ended) <= 0.3 + 0.05 + 2 * 0.5 + 1 + 0.06);
}

TEST_CASE(
    "a worker that dies is noticed after its misses and the cleanup, and its batch runs first") {
  const std::string text = small("master-worker", "");
  const auto outcome = run_scenario(text + crash(3, 0.05));
  check_all_once(outcome);
  // Heard last at up to a period before its death; looked at every repeat.
  CHECK(metric(outcome, "detection_time") >= 0.5 - 0.1 - 0.02);
  CHECK(metric(outcome, "detection_time") <= 0.5 + 0.05 + 0.02);
  CHECK(metric(outcome, "recovery_time") >= metric(outcome, "detection_time"));
}

TEST_CASE("all peers hear of the end within the usual grace, whatever is lost") {
  for (const std::string scheduler :
       {"\"coordinator\"", "\"master-worker\"", "\"master-worker\"\nelection = \"lease\""})
    for (std::uint32_t seed = 0; seed < 4; ++seed) {
      CAPTURE(scheduler);
      CAPTURE(seed);
      check_all_once(run_scenario(equal_peers(30, "5ms", "virtual") + R"(
workload.jobs = 2
workload.portions = 30
workload.portion_time = "1s"
network.loss = 0.1
[[scheduler]]
use = )" + scheduler + "\n",
                                  seed));
    }
}

TEST_CASE("a master has the tasks of a worker executed on every slot, in order, each once") {
  const auto outcome =
      run_scenario(small("master-worker", "", ""), 0, 0, {.command_line = {"peers.slots=3"}});
  check_all_once(outcome);
  const auto& handed = outcome.facts.of<agents::TaskStarted>();
  for (const auto& noted : handed) CHECK(noted.peer != core::PeerId{1});
  CHECK(outcome.facts.of<HeadElected>().size() == 1);
}

}  // namespace rhizome::central_test
