// The metrics of the phases of a batch.
#include <doctest/doctest.h>

#include <chrono>
#include <cstdint>
#include <string>

#include "scenarios/outcome/metrics.hpp"
#include "test/support/metric_values.hpp"
#include "test/support/outcomes.hpp"

namespace rhizome::scenarios::phase_metrics_test {

using namespace std::chrono_literals;
using agents::TaskId;
using test::applies;
using test::at;
using test::value;

namespace {

// A task that a peer had from one second of the run to another.
void add(Outcome& outcome, std::uint32_t peer, int from, int until) {
  TaskOutcome task;
  task.id = {0, static_cast<std::uint32_t>(outcome.tasks.size())};
  task.duration = 4s;
  task.submitted = task.completed = true;
  task.started_at = at(from * 1s);
  task.completed_at = at(until * 1s);
  task.executor = core::PeerId{peer};
  outcome.tasks.push_back(task);
}

// Adds the facts of the outcome's tasks.
Outcome told(Outcome outcome) {
  for (int second = 0; second <= 100; ++second)
    for (const TaskOutcome& task : outcome.tasks) {
      const std::uint32_t peer = task.executor.value;
      if (task.completed_at == at(second * 1s))
        test::say(outcome, second * 1s, peer, agents::TaskExecuted{task.id, 1s});
    }
  for (const TaskOutcome& task : outcome.tasks)
    outcome.facts.add({task.started_at, task.executor, 1000 + task.id.portion},
                      agents::TaskStarted{task.id});
  outcome.facts.sort();
  return outcome;
}

// Peer 0 is at work from 0 to 10 s with a gap of 2 s, peer 1 from 3 to 7 s, and peer 2, the
// slowest, from 1 to 12 s.
Outcome batch() {
  Outcome outcome = test::quiet_outcome(3);
  outcome.peers[2].speed = 0.5;
  add(outcome, 0, 0, 4);
  add(outcome, 0, 6, 10);
  add(outcome, 1, 3, 7);
  add(outcome, 2, 1, 12);
  return told(outcome);
}

}  // namespace

TEST_CASE(
    "work spreads until the last peer has some, and the tail begins when the first has done") {
  const Outcome outcome = batch();
  CHECK(value(outcome, "phase_one") == 3);
  CHECK(value(outcome, "phase_two") == 4);
  CHECK(value(outcome, "phase_three") == 5);
}

TEST_CASE("if a peer never works, there are no phases") {
  Outcome outcome = batch();
  outcome.peers.push_back(outcome.peers.back());
  for (const char* name : {"phase_one", "phase_two", "phase_three", "fluid_limit_spread"})
    CHECK_FALSE(applies(outcome, name));
  CHECK_FALSE(applies(test::quiet_outcome(0), "phase_one"));
}

TEST_CASE("gaps are the times without work between the first task of a peer and its last") {
  CHECK(value(batch(), "idle_gaps") == doctest::Approx(2.0 / 3));
  CHECK_FALSE(applies(test::quiet_outcome(2), "idle_gaps"));
}

TEST_CASE("tasks that run side by side leave no gap") {
  Outcome outcome = test::quiet_outcome(1);
  add(outcome, 0, 0, 5);
  add(outcome, 0, 1, 2);
  add(outcome, 0, 4, 9);
  CHECK(value(told(outcome), "idle_gaps") == 0);
}

TEST_CASE("the fluid limit is all work over all speed, and more with the initial idle time") {
  CHECK(value(batch(), "fluid_limit") == doctest::Approx(16 / 2.5));
  CHECK(value(batch(), "fluid_limit_spread") == doctest::Approx((16 + 3 * 1 + 1 * 0.5) / 2.5));
  for (const char* name : {"fluid_limit", "fluid_limit_spread", "fluid_limit_50"})
    CHECK_FALSE(applies(test::quiet_outcome(2), name));
}

TEST_CASE("the fluid limit of a part is that of its shortest tasks, at peers begun by then") {
  Outcome outcome = batch();
  outcome.tasks[1].duration = 1s;
  CHECK(value(outcome, "fluid_limit_25") == 1);  // peer 0 alone
  CHECK(value(outcome, "fluid_limit_75") == doctest::Approx((9 + 3 * 1 + 1 * 0.5) / 2.5));
  outcome.peers[1].speed = 1'000'000;  // began at 3 s, when half was done
  CHECK(value(outcome, "fluid_limit_50") == doctest::Approx((5 + 3e6 + 1 * 0.5) / 1'000'001.5));
  outcome.tasks[0].duration = 1s;
  outcome.tasks[1].duration = 2s;
  CHECK(value(outcome, "fluid_limit_50") == doctest::Approx((3 + 1 * 0.5) / 1.5));
  outcome.peers.push_back(outcome.peers.back());  // it never works
  CHECK_FALSE(applies(outcome, "fluid_limit_50"));
}

TEST_CASE("no makespan is below all work over all speed, nor below a chain on the fastest peer") {
  Outcome outcome = batch();
  CHECK_FALSE(applies(outcome, "lower_bound"));
  outcome.peers[0].speed = 2;  // and the others 1 and 0.5
  outcome.jobs.push_back({.id = 0, .arrived = at(0s), .work = 14s, .longest = 4s});
  outcome.jobs.push_back({.id = 1, .arrived = at(3s), .work = 7s, .longest = 7s});
  CHECK(value(outcome, "lower_bound") == doctest::Approx(3 + 7 / 2.0));
  outcome.jobs[1].arrived = at(1s);
  CHECK(value(outcome, "lower_bound") == doctest::Approx(21 / 3.5));
  test::say(outcome, 0s, 0, agents::GraphSubmitted{.job = 0, .critical_path = 14s});
  CHECK(value(outcome, "lower_bound") == doctest::Approx(14 / 2.0));
}

TEST_CASE("if peers share processors, the bound takes so many of the fastest slots as there are") {
  Outcome outcome = test::quiet_outcome(3);
  outcome.jobs.push_back({.id = 0, .work = 12s, .longest = 1s});
  outcome.peers[0].speed = 3;
  outcome.peers[1].speed = 1;  // the others share one processor
  outcome.peers[2].speed = 2;
  outcome.peers[1].share = outcome.peers[2].share = 0.5;  // alone they have speeds of 2 and 4
  CHECK(value(outcome, "lower_bound") == doctest::Approx(12 / (3 + 4.0)));
  outcome.peers[1].share = outcome.peers[2].share = 0.9;
  CHECK(value(outcome, "lower_bound") == doctest::Approx(12 / (3 + (1 + 2) / 0.9)));
  outcome.peers[1].share = outcome.peers[2].share = 0.5;
  outcome.jobs[0].longest = 8s;
  CHECK(value(outcome, "lower_bound") == doctest::Approx(8 / 4.0));
}

TEST_CASE("tasks that others add lengthen the chain that no makespan is below") {
  Outcome outcome = test::quiet_outcome(100);
  outcome.jobs.push_back({.id = 0, .work = 9s, .longest = 4s});
  for (const core::Duration duration : {4s, 2s, 3s})
    outcome.tasks.push_back({.id = {0, static_cast<std::uint32_t>(outcome.tasks.size())},
                             .duration = duration,
                             .submitted = true,
                             .completed = true,
                             .completed_at = at(18s)});
  CHECK(value(outcome, "lower_bound") == 4);
  test::say(outcome, 4s, 0, agents::TasksAdded{.task = {0, 0}, .first = 1, .count = 1});
  CHECK(value(outcome, "lower_bound") == 6);
  test::say(outcome, 6s, 0, agents::TasksAdded{.task = {0, 1}, .first = 2, .count = 1});
  CHECK(value(outcome, "lower_bound") == 9);
  CHECK(value(outcome, "over_lower_bound") == 2);
  // As a damaged store may say: only tasks that there are count.
  constexpr std::uint32_t most = ~std::uint32_t{0};
  test::say(outcome, 7s, 0, agents::TasksAdded{.task = {0, 2}, .first = 0, .count = most});
  CHECK(value(outcome, "lower_bound") >= 9);
}

TEST_CASE("a part of the tasks is done when the last of so many is") {
  Outcome outcome = batch();
  CHECK(value(outcome, "time_to_25") == 4);
  CHECK(value(outcome, "time_to_50") == 7);
  CHECK(value(outcome, "time_to_75") == 10);
  CHECK(value(outcome, "time_to_90") == 12);
  CHECK(value(outcome, "tail") == 0);
  outcome.tasks[3].completed = false;
  CHECK(value(outcome, "time_to_75") == 10);
  CHECK_FALSE(applies(outcome, "time_to_90"));
}

TEST_CASE("straggling is the share of the slowest quarter in the last tenth") {
  Outcome outcome = test::quiet_outcome(4);
  outcome.peers[3].speed = 0.5;
  for (int i = 0; i < 20; ++i) add(outcome, i == 19 ? 3 : 0, i, i + 1);
  CHECK(value(told(outcome), "straggling") == 0.5);
  CHECK(value(told(outcome), "tail") == 2);
  Outcome damaged = told(outcome);  // a store without the executor of the last task
  damaged.tasks[19].executor = core::no_peer;
  CHECK(value(damaged, "straggling") == 0);
  outcome.peers[3].speed = 1;
  CHECK_FALSE(applies(told(outcome), "straggling"));
}

TEST_CASE("the stretch of the last tasks is that of slow peers, by the longer of their last two") {
  Outcome outcome = test::quiet_outcome(4);
  outcome.peers[3].speed = 0.5;
  for (int i = 0; i < 4; ++i) add(outcome, 0, 10 * i, 10 * i + (i == 3 ? 9 : 1));
  add(outcome, 3, 0, 2);
  add(outcome, 3, 2, 6);
  CHECK_FALSE(applies(told(outcome), "last_stretch"));
  add(outcome, 3, 6, 15);
  add(outcome, 3, 15, 19);
  CHECK(value(told(outcome), "last_stretch") == 3);
  outcome.peers[3].speed = 1;
  CHECK_FALSE(applies(told(outcome), "last_stretch"));
}

TEST_CASE("a move is undone when a task comes to a peer that had it") {
  Outcome outcome = batch();
  CHECK_FALSE(applies(outcome, "moves_undone"));
  const auto hand = [&](std::uint32_t task, std::uint32_t from, std::uint32_t to) {
    test::say(outcome, 20s, from, agents::TaskHanded{{0, task}, core::PeerId{to}});
  };
  hand(0, 0, 1);
  hand(0, 1, 2);
  hand(1, 0, 1);
  CHECK(value(outcome, "moves_undone") == 0);
  hand(0, 2, 0);
  hand(0, 0, 1);
  CHECK(value(outcome, "moves_undone") == 0.5);
}

}  // namespace rhizome::scenarios::phase_metrics_test
