#include "scenarios/outcome/invariants.hpp"
#include "scenarios/outcome/findings.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "agents/schedulers.hpp"
#include "test/support/violations.hpp"

namespace rhizome::scenarios::invariants_test {

using namespace std::chrono_literals;
using core::no_peer;
using core::PeerId;
using test::at;
using test::broken;
using test::busy_outcome;
using test::crash;
using test::Names;
using test::quiet_outcome;
using test::say;

TEST_CASE("a run in which all went well breaks nothing") { CHECK(broken(busy_outcome()).empty()); }

TEST_CASE("a packet that vanished breaks conservation") {
  Outcome outcome = busy_outcome();
  --outcome.peers[1].received;
  REQUIRE(broken(outcome) == Names{"conservation"});
  CHECK(examine(outcome).violations.front().text ==
        "8 packets were sent or duplicated, but 7 were received, dropped or in flight at the end");
  SUBCASE("unless it was dropped") {
    ++outcome.peers[1].drops[static_cast<std::size_t>(core::Drop::lost)];
    CHECK(broken(outcome).empty());
  }
  SUBCASE("unless it is in flight") {
    ++outcome.peers[1].in_flight;
    CHECK(broken(outcome).empty());
  }
}

TEST_CASE("a packet out of nowhere breaks conservation unless the link doubled it") {
  Outcome outcome = busy_outcome();
  ++outcome.peers[1].received;
  CHECK(broken(outcome) == Names{"conservation"});
  ++outcome.peers[0].duplicated;
  CHECK(broken(outcome).empty());
}

TEST_CASE("an address that does not resolve is named with its sender") {
  Outcome outcome = busy_outcome();
  ++outcome.peers[2].sent;
  ++outcome.peers[2].drops[static_cast<std::size_t>(core::Drop::unreachable)];
  REQUIRE(broken(outcome) == Names{"addresses-resolve"});
  CHECK(examine(outcome).violations.front().peer == PeerId{2});
}

TEST_CASE(
    "a message that its receiver refused breaks an invariant, and is no fault of the network") {
  Outcome outcome = busy_outcome();
  --outcome.peers[1].received;
  ++outcome.peers[1].drops[static_cast<std::size_t>(core::Drop::implausible)];
  REQUIRE(broken(outcome) == Names{"messages-are-believed"});
  CHECK(examine(outcome).violations.front().text == "peer 1 refused 1 messages as implausible");
  CHECK(faultless(outcome));
  ++outcome.peers[1].drops[static_cast<std::size_t>(core::Drop::lost)];
  CHECK_FALSE(faultless(outcome));
}

TEST_CASE("a wrong result is named with its peer, its task and its value, also where interrupted") {
  Outcome outcome = busy_outcome();
  say(outcome, 14s, 1, agents::TaskComputed{{1, 0}, "checksum 7", true});
  CHECK(broken(outcome).empty());
  say(outcome, 15s, 2, agents::TaskComputed{{1, 1}, "checksum 8", false});
  REQUIRE(broken(outcome) == Names{"results-correct"});
  const Violation found = examine(outcome).violations.front();
  CHECK(found.peer == PeerId{2});
  CHECK(found.at == at(15s));
  CHECK(found.text == "peer 2 computed a wrong result of task 1.1: checksum 8");
  outcome.ending = core::Ending::interrupted;
  CHECK(broken(outcome) == Names{"results-correct"});
}

TEST_CASE("a lost task is named with its last facts") {
  Outcome outcome = busy_outcome();
  outcome.facts = {};
  say(outcome, 1s, 2, agents::TaskStarted{{1, 1}});
  outcome.tasks[3].completed = false;
  REQUIRE(broken(outcome) == Names{"no-task-lost"});
  CHECK(examine(outcome).violations.front().text ==
        "task 1.1 never completed; 1.000000 s peer 2 task-started (job 1, portion 1)");
}

TEST_CASE("tasks that time ran out for are neither lost nor at rest, but counting twice is wrong") {
  Outcome outcome = busy_outcome();
  outcome.ending = core::Ending::limit;
  outcome.failure = "time ran out";
  outcome.tasks[3].completed = false;
  outcome.peers[1].finished = false;
  outcome.peers[1].armed = "dealer.Nap{}";
  outcome.working = 1;
  CHECK(broken(outcome).empty());
  outcome.tasks[0].completions = 2;
  CHECK(broken(outcome) == Names{"completes-once"});
  say(outcome, 50s, 2, agents::RunFailed{PeerId{0}, "the root is dead"});
  CHECK(broken(outcome) == Names{"run-failed", "completes-once", "comes-to-rest", "all-finish"});
}

TEST_CASE("an interrupted run owes no tasks, but conserves packets") {
  Outcome outcome = busy_outcome();
  outcome.ending = core::Ending::interrupted;
  outcome.tasks[3].completed = false;
  outcome.peers[1].finished = false;
  CHECK(broken(outcome).empty());
  ++outcome.peers[1].received;
  CHECK(broken(outcome) == Names{"conservation"});
}

TEST_CASE("a task that its source counted twice is wrong whatever the scheduler promises") {
  Outcome outcome = busy_outcome();
  outcome.tasks[0].completions = 2;
  CHECK(broken(outcome) == Names{"completes-once"});
  outcome.at_least_once = true;
  CHECK(broken(outcome) == Names{"completes-once"});
}

TEST_CASE("a second result needs a fault, or a task that was handed out again where allowed") {
  Outcome outcome = busy_outcome();
  outcome.tasks[0].duplicates = 1;
  CHECK(broken(outcome) == Names{"completes-once"});

  Outcome promised = outcome;
  promised.at_least_once = true;
  CHECK(broken(promised) == Names{"completes-once"});
  promised.tasks[0].reissues = 1;
  CHECK(broken(promised).empty());
  ++promised.tasks[0].duplicates;
  CHECK(broken(promised) == Names{"completes-once"});

  Outcome once = outcome;
  once.tasks[0].reissues = 1;
  CHECK(broken(once) == Names{"completes-once"});

  Outcome crashed = outcome;
  crash(crashed, 1s, 2);
  CHECK(broken(crashed).empty());

  Outcome lossy = outcome;
  ++lossy.peers[0].sent;
  ++lossy.peers[0].drops[static_cast<std::size_t>(core::Drop::lost)];
  CHECK(broken(lossy).empty());
}

TEST_CASE("a task that began before one that it needs had been executed breaks an invariant") {
  Outcome outcome = busy_outcome();  // tasks 0.0 and 0.1 begin at 1 s
  say(outcome, 1s, 1, agents::TaskExecuted{{0, 0}, 2s});
  outcome.needs = {{0, 1, 0}};
  CHECK(broken(outcome).empty());
  outcome.needs = {{0, 1, 0}, {1, 1, 0}};  // no fact tells that it was executed
  REQUIRE(broken(outcome) == Names{"precedence"});
  CHECK(examine(outcome).violations.front().text.starts_with(
      "task 1.1 began before task 1.0, which it needs, was done"));
  say(outcome, 13s, 1, agents::TaskExecuted{{1, 0}, 2s});
  CHECK(broken(outcome) == Names{"precedence"});
  crash(outcome, 1s, 2);
  CHECK(broken(outcome) == Names{"precedence"});
  outcome.validity.tolerance = 2s;  // threads may be so late
  CHECK(broken(outcome).empty());
}

TEST_CASE("a task that is executed a second time later was done before all the same") {
  Outcome outcome = busy_outcome();
  say(outcome, 11s, 1, agents::TaskExecuted{{1, 0}, 1s});
  say(outcome, 13s, 2, agents::TaskExecuted{{1, 0}, 1s});
  outcome.needs = {{1, 1, 0}};
  CHECK(broken(outcome).empty());
}

TEST_CASE("a makespan below its lower bound breaks an invariant, where work is emulated") {
  Outcome outcome = busy_outcome();  // 13 s
  outcome.jobs[0].work = 36s;        // with 3 s of the other job, at three peers
  CHECK(broken(outcome).empty());
  outcome.jobs[0].work = 37s;
  REQUIRE(broken(outcome) == Names{"over-lower-bound"});
  CHECK(examine(outcome).violations.front().text ==
        "the makespan, 13.000000 s, is below its lower bound of 13.333333 s");
  for (PeerOutcome& peer : outcome.peers) peer.speed = 2;
  CHECK(broken(outcome).empty());
  for (PeerOutcome& peer : outcome.peers) peer.speed = 1;
  say(outcome, 13s, 1, agents::TaskComputed{{1, 0}, "8", true});
  CHECK(broken(outcome).empty());
}

TEST_CASE("a result later than promised breaks an invariant, unless something went wrong") {
  Outcome outcome = busy_outcome();  // the last result comes at 13 s
  outcome.in_time = 13s;
  CHECK(broken(outcome).empty());
  outcome.in_time = 12s;
  REQUIRE(broken(outcome) == Names{"in-time"});
  CHECK(examine(outcome).violations.front().text ==
        "the last result came after 13.000000 s without a fault; the scheduler promises it within "
        "12.000000 s");
  Outcome cut = outcome;
  cut.cuts = {{at(1s), at(2s)}};
  CHECK(broken(cut).empty());
  crash(outcome, 1s, 2);
  CHECK(broken(outcome).empty());
}

TEST_CASE("a timer after the end is reported with its peer, and running work is counted") {
  Outcome outcome = busy_outcome();
  outcome.peers[1].armed = "dealer.Nap{}, dealer.Wake{7}";
  outcome.working = 1;
  const auto violations = examine(outcome).violations;
  REQUIRE(violations.size() == 2);
  CHECK(violations[0].peer == PeerId{1});
  CHECK(violations[0].text == name_of(PeerId{1}) +
                                  " has timers that are armed still after the end: dealer.Nap{}, "
                                  "dealer.Wake{7}");
  CHECK(violations[1].text == "1 pieces of work were still running after the end");
  CHECK(broken(outcome) == Names{"comes-to-rest"});
}

TEST_CASE("a view that holds a peer twice breaks an invariant") {
  Outcome outcome = quiet_outcome(2);
  say(outcome, 1s, 1, agents::ViewBroken{PeerId{0}, "twice"});
  CHECK(broken(outcome) == Names{"views-hold"});
  CHECK(examine(outcome).violations[0].text == "a view of peer 1 is wrong at peer 0: twice");
}

TEST_CASE("a living peer must have finished, a dead one need not") {
  Outcome outcome = busy_outcome();
  outcome.peers[1].finished = false;
  CHECK(broken(outcome) == Names{"all-finish"});
  outcome.peers[1].alive = false;
  CHECK(broken(outcome).empty());
}

TEST_CASE("ten of many alike violations are reported") {
  Outcome outcome = quiet_outcome(50);
  for (PeerOutcome& peer : outcome.peers) peer.finished = false;
  CHECK(examine(outcome).violations.size() == 10);
}

TEST_CASE("a run that was given up breaks one invariant with its reason, not one for each task") {
  Outcome outcome = busy_outcome();
  for (TaskOutcome& task : outcome.tasks) task.completed = false;
  outcome.failure = "the root is dead\nits last words";
  say(outcome, 50s, 2, agents::RunFailed{PeerId{0}, outcome.failure});
  say(outcome, 51s, 3, agents::RunFailed{PeerId{0}, "the root is dead for another"});
  const auto violations = examine(outcome).violations;
  REQUIRE(violations.size() == 1);
  CHECK(violations[0].invariant == "run-failed");
  CHECK(violations[0].text ==
        "the run failed: the root is dead; 4 of 4 tasks never completed; 50.000000 s peer 2 "
        "run-failed (source peer 0, reason the root is dead)");
}

TEST_CASE("threads that were late by more than a time-out are no breach, but counting twice is") {
  Outcome outcome = busy_outcome();
  outcome.at_least_once = true;
  outcome.tasks[0].duplicates = 2;
  for (const auto level : {Validity::Level::valid, Validity::Level::suspect}) {
    outcome.validity.level = level;
    CHECK(broken(outcome) == Names{"completes-once"});
  }
  outcome.validity.level = Validity::Level::invalid;
  CHECK(broken(outcome).empty());
  outcome.tasks[0].completions = 2;
  CHECK(broken(outcome) == Names{"completes-once"});
}

TEST_CASE("on a congested line a result may be delivered again, but no task may run again") {
  Outcome outcome = busy_outcome();
  outcome.queueing = true;
  outcome.tasks[0].duplicates = 1;
  CHECK(broken(outcome) == Names{"completes-once"});
  outcome.longest_delay = outcome.patience.notice / 3;
  CHECK(broken(outcome).empty());
  outcome.tasks[0].executions = 2;
  CHECK(broken(outcome) == Names{"once-without-fault"});
}

TEST_CASE("a run that ended because threads were too late is not blamed for open tasks") {
  Outcome outcome = busy_outcome();
  outcome.peers[1].finished = false;
  outcome.peers[2].armed = "grid.TickDue{}";
  const Names left{"comes-to-rest", "all-finish"};
  CHECK(broken(outcome) == left);
  outcome.ending = core::Ending::limit;
  CHECK(broken(outcome) == left);
  outcome.validity.level = Validity::Level::invalid;
  CHECK(broken(outcome).empty());
}

TEST_CASE("without a fault portions travel no more hops than the scheduler promises") {
  Outcome outcome = busy_outcome();  // four tasks, each in one message
  outcome.most_hops = 1;
  CHECK(broken(outcome).empty());
  ++outcome.peers[1].burdens[0].sent.units;
  REQUIRE(broken(outcome) == Names{"hops"});
  CHECK(examine(outcome).violations.front().text ==
        "5 portions were sent without a fault, more than 1 for each of 4 tasks");
  Outcome waits = outcome;  // for files: a peer that waits for long may ask again
  test::say(waits, 1s, 1, agents::files::FilesWanted{outcome.tasks[0].id, 1, 0});
  CHECK(broken(waits).empty());
  Outcome crashed = outcome;
  crash(crashed, 50s, 2);
  CHECK(broken(crashed).empty());
}

TEST_CASE("a late task may have been asked for again, and travels more hops then") {
  Outcome outcome = busy_outcome();
  outcome.most_hops = 1;
  ++outcome.peers[1].burdens[0].sent.units;
  REQUIRE(broken(outcome) == Names{"hops"});
  Outcome queued = outcome;
  queued.queueing = true;
  CHECK(broken(queued) == Names{"hops"});             // time-outs know of queues
  queued.longest_delay = queued.patience.notice / 3;  // but not of such
  CHECK(broken(queued).empty());
  Outcome stalled = outcome;
  stalled.stalls.push_back({PeerId{1}, at(1s), at(2s)});
  CHECK(broken(stalled).empty());
  Outcome late = outcome;
  late.validity.level = Validity::Level::suspect;
  CHECK(broken(late).empty());
}

TEST_CASE("outputs of tasks are at their client once the tasks count as done, and are right") {
  using agents::files::OutputKept;
  Outcome outcome = busy_outcome();
  test::say(outcome, 1s, 0, OutputKept{outcome.tasks[0].id, 5, true});
  CHECK(broken(outcome).front() == "outputs");
  for (std::size_t i = 1; i < outcome.tasks.size(); ++i)
    test::say(outcome, 1s, 0, OutputKept{outcome.tasks[i].id, 5, true});
  CHECK(broken(outcome).empty());
  test::say(outcome, 2s, 0, OutputKept{outcome.tasks[0].id, 5, false});
  CHECK(broken(outcome) == Names{"outputs"});
}

}  // namespace rhizome::scenarios::invariants_test
