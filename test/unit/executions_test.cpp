// How often, and when, tasks are executed: what the invariants of that say of outcomes made by
// hand.
#include <doctest/doctest.h>

#include "agents/program/facts.hpp"
#include "scenarios/outcome/invariants.hpp"
#include "test/support/violations.hpp"

namespace rhizome::scenarios::executions_test {

using namespace std::chrono_literals;
using core::PeerId;
using test::at;
using test::broken;
using test::busy_outcome;
using test::crash;
using test::Names;
using test::say;

TEST_CASE("a task that counts without having been executed is wrong, whatever was lost") {
  Outcome outcome = busy_outcome();  // tasks 0.0 and 0.1 complete at 3 s
  outcome.tasks[0].executions = 0;
  CHECK(broken(outcome) == Names{"once-without-fault", "tasks-are-executed"});
  ++outcome.peers[0].sent;
  ++outcome.peers[0].drops[static_cast<std::size_t>(core::Drop::lost)];
  CHECK(broken(outcome) == Names{"tasks-are-executed"});
  CHECK(examine(outcome).violations.front().text.starts_with(
      "task 0.0 completed and had not been executed; 3.000000 s peer 0 task-completed"));
  Outcome asked = outcome;
  say(asked, 3s, 0, agents::program::OperationUnanswered{{0, 0}});
  CHECK(broken(asked).empty());
  outcome.tasks[0].completed = false;
  CHECK(broken(outcome) == Names{"no-task-lost"});
}

TEST_CASE("a task that is executed only after it has counted is wrong, if clocks can tell") {
  Outcome outcome = busy_outcome();
  say(outcome, 3s, 1, agents::TaskExecuted{{0, 0}, 2s});
  CHECK(broken(outcome).empty());
  say(outcome, 4s, 2, agents::TaskExecuted{{0, 1}, 1s});
  CHECK(broken(outcome) == Names{"tasks-are-executed"});
  crash(outcome, 1s, 2);
  CHECK(broken(outcome) == Names{"tasks-are-executed"});
  Outcome late = outcome;
  late.validity.tolerance = 1s;  // threads may be so late
  CHECK(broken(late).empty());
  outcome.passages = {{"host a", "host b", 1, 1}};
  CHECK(broken(outcome).empty());
}

TEST_CASE("a task that runs twice, or ends without having begun, needs a fault as its cause") {
  for (const std::uint32_t times : {0U, 2U})
    for (const auto counted : {&TaskOutcome::starts, &TaskOutcome::executions}) {
      if (times == 0 && counted == &TaskOutcome::executions) continue;  // no fault excuses that
      Outcome outcome = busy_outcome();
      outcome.at_least_once = true;
      outcome.tasks[0].reissues = 1;
      outcome.tasks[0].*counted = times;
      CHECK(broken(outcome) == Names{"once-without-fault"});

      Outcome crashed = outcome;
      crash(crashed, 1s, 2);
      CHECK(broken(crashed).empty());
      Outcome cut = outcome;
      cut.cuts = {{at(1s), at(2s)}};
      CHECK(broken(cut).empty());
      Outcome doubled = outcome;
      ++doubled.peers[0].duplicated;
      ++doubled.peers[0].received;
      CHECK(broken(doubled).empty());
      Outcome late = outcome;
      late.validity.level = Validity::Level::suspect;
      CHECK(broken(late).empty());
      Outcome stalled = outcome;
      stalled.stalls = {{PeerId{1}, at(1s), at(2s)}};
      CHECK(broken(stalled).empty());
    }
}

TEST_CASE("a task that is under way at the end of an open run has not been executed yet") {
  Outcome outcome = busy_outcome();
  outcome.ending = core::Ending::open;
  outcome.tasks[3].completed = false;
  outcome.tasks[3].executions = 0;
  CHECK(broken(outcome).empty());
  outcome.tasks[3].starts = 2;
  CHECK(broken(outcome) == Names{"once-without-fault"});
}

TEST_CASE("a task that its scheduler preempts may begin once more, but not end twice") {
  Outcome outcome = busy_outcome();
  outcome.tasks[0].starts = 2;
  CHECK(broken(outcome) == Names{"once-without-fault"});
  outcome.facts.add({}, agents::TaskReissued{outcome.tasks[0].id, PeerId{1}, "preempted"});
  CHECK(broken(outcome).empty());
  outcome.tasks[0].executions = 2;
  CHECK(broken(outcome) == Names{"once-without-fault"});
}

}  // namespace rhizome::scenarios::executions_test
