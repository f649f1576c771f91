// Tasks of the workload that were never handed to any peer.
#include <doctest/doctest.h>

#include "agents/facts.hpp"
#include "scenarios/outcome/metrics.hpp"
#include "test/support/reports.hpp"

namespace rhizome::scenarios::unseen_test {

using namespace std::chrono_literals;
using core::PeerId;
using test::at;
using test::empty_report;
using test::note;
using test::outcome_of;
using test::two_peers;

TEST_CASE("a task that no peer was ever handed is lost too, unless the run is open") {
  core::EngineReport report = empty_report();
  SUBCASE("because the grace of others was over first") {
    report.ending = core::Ending::limit;
    const Outcome outcome = outcome_of(report, two_peers());
    CHECK(outcome.unseen == 2);
    REQUIRE(outcome.violations.size() == 1);
    CHECK(outcome.violations[0].text == "2 tasks were never handed to a peer");
  }
  SUBCASE("and it is not waited for") {
    report.ending = core::Ending::open;
    const Outcome outcome = outcome_of(report, two_peers());
    CHECK(outcome.violations.empty());
    CHECK(find_metric("open_tasks")->of(outcome) == 2);
  }
}

TEST_CASE("a task handed on before the keeper of its job heard of it counts once") {
  core::EngineReport report = empty_report();
  report.ending = core::Ending::open;
  for (const std::uint32_t portion : {0U, 1U})
    note(report, 1s, 1, agents::TaskSubmitted{{0, portion}, 2s});
  const Outcome outcome = outcome_of(report, two_peers());
  CHECK(outcome.unseen == 0);
  CHECK(find_metric("open_tasks")->of(outcome) == 2);
}

TEST_CASE("if a job came in parts, the parts that never came are lost, and nothing else") {
  core::EngineReport report = empty_report();
  note(report, 1s, 0, agents::JobSubmitted{0, at(1s), 1, false, 2s, 2s});
  note(report, 1s, 0, agents::TaskSubmitted{{0, 1}, 2s});
  note(report, 3s, 1, agents::TaskExecuted{{0, 1}, 2s});
  note(report, 4s, 0, agents::TaskCompleted{{0, 1}, PeerId{1}});
  const Outcome outcome = outcome_of(report, two_peers());
  REQUIRE(outcome.tasks.size() == 1);
  CHECK(outcome.tasks[0].id == agents::TaskId{0, 1});
  CHECK(outcome.jobs[0].portions == 1);
  CHECK(outcome.jobs[0].work == 2s);
  CHECK(outcome.unseen == 1);
  REQUIRE(outcome.violations.size() == 1);
  CHECK(outcome.violations[0].text == "1 tasks were never handed to a peer");
}

}  // namespace rhizome::scenarios::unseen_test
