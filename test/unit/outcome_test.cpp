#include "scenarios/outcome/outcome.hpp"

#include <doctest/doctest.h>

#include "agents/facts.hpp"
#include "scenarios/outcome/make_outcome.hpp"
#include "scenarios/outcome/metrics.hpp"
#include "scenarios/outcome/validity.hpp"
#include "test/support/outcomes.hpp"
#include "test/support/reports.hpp"

namespace rhizome::scenarios::outcome_test {

using namespace std::chrono_literals;
using core::no_peer;
using core::PeerId;
using test::at;
using test::empty_report;
using test::note;
using test::outcome_of;
using test::two_peers;

namespace {

// Task 0.0 runs at peer 1 as it should; 0.1 runs at both, and its second result is known as such.
core::EngineReport told_report() {
  core::EngineReport report = empty_report();
  const agents::TaskId a{0, 0};
  const agents::TaskId b{0, 1};
  note(report, 1s, 0, agents::JobSubmitted{0, at(1s), 2, true, 4s, 2s});
  for (const agents::TaskId task : {a, b}) note(report, 1s, 0, agents::TaskSubmitted{task, 2s, 1});
  note(report, 2s, 1, agents::TaskStarted{a});
  note(report, 3s, 1, agents::TaskExecuted{a, 1s});
  note(report, 4s, 0, agents::TaskCompleted{a, PeerId{1}});
  note(report, 5s, 0, agents::TaskReissued{b, PeerId{1}, "overdue"});
  note(report, 5s, 0, agents::TaskStarted{b});
  note(report, 6s, 1, agents::TaskStarted{b});
  for (const std::uint32_t peer : {0U, 1U}) note(report, 7s, peer, agents::TaskExecuted{b, 2s});
  note(report, 8s, 0, agents::TaskCompleted{b, PeerId{0}});
  note(report, 9s, 0, agents::TaskDuplicate{b, PeerId{1}});
  return report;
}

// A thousand values, of which `late` are `lag` and the others nothing.
core::Histogram lags(std::uint64_t late, Duration lag) {
  core::Histogram histogram;
  histogram.add(0, 1000 - late);
  histogram.add(lag.count(), late);
  return histogram;
}

}  // namespace

TEST_CASE("tasks and jobs are accounted from facts") {
  const agents::World world = two_peers();
  const Outcome outcome = outcome_of(told_report(), world);
  REQUIRE(outcome.tasks.size() == 2);
  const TaskOutcome& a = outcome.tasks[0];
  CHECK(a.submitted_at == at(1s));
  CHECK(a.started_at == at(2s));
  CHECK(a.completed_at == at(4s));
  CHECK(a.executor == PeerId{1});
  CHECK(a.executions == 1);
  CHECK(a.duplicates == 0);

  const TaskOutcome& b = outcome.tasks[1];
  CHECK(b.started_at == at(5s));
  CHECK(b.completed_at == at(8s));
  CHECK(b.executor == PeerId{0});
  CHECK(b.starts == 2);
  CHECK(b.executions == 2);
  CHECK(b.completions == 1);
  CHECK(b.duplicates == 1);
  CHECK(b.reissues == 1);

  REQUIRE(outcome.jobs.size() == 1);
  CHECK(outcome.jobs[0].completed);
  CHECK(outcome.jobs[0].completed_at == at(8s));
  CHECK(outcome.jobs[0].work == 4s);
  CHECK(outcome.jobs[0].longest == 2s);
  CHECK(outcome.peers[1].busy == 3s);
  CHECK(outcome.peers[1].restarts == 1);
  CHECK(outcome.peers[1].speed == 2);
  CHECK(outcome.violations.empty());
}

TEST_CASE("a run that was given up with tasks undone failed for the reason that most peers gave") {
  core::EngineReport report = told_report();
  for (const Duration when : {15s, 16s})
    note(report, when, 1, agents::RunFailed{PeerId{0}, "the root is out of reach"});
  note(report, 14s, 0, agents::RunFailed{PeerId{0}, "the queue is dead"});
  SUBCASE("all tasks completed, so it did not fail") {
    CHECK(outcome_of(report, two_peers()).failure.empty());
  }
  SUBCASE("a task came and is missing") {
    note(report, 17s, 0, agents::JobSubmitted{1, at(2s), 1, true, 2s, 2s});
    CHECK(outcome_of(report, two_peers()).failure == "the root is out of reach");
  }
  SUBCASE("a task never came") {
    agents::World world = two_peers();
    world.profile.add({.id = 1, .arrival = at(2s), .portions = {{.id = {1, 0}}}});
    const Outcome outcome = outcome_of(report, world);
    CHECK(outcome.failure == "the root is out of reach");
  }
}

TEST_CASE(
    "utilisation above 1 when a task has more processors than its peer, or outlives the run") {
  core::EngineReport report = empty_report();
  const agents::TaskId task{0, 0};
  note(report, 1s, 0, agents::TaskSubmitted{task, 2s, 100});
  note(report, 5s, 1, agents::TaskExecuted{task, 3s});
  note(report, 5s, 0, agents::TaskCompleted{task, PeerId{1}});
  // From 2 s to 10 s, of which 3 s lie before the last result.
  note(report, 10s, 0, agents::TaskExecuted{task, 8s});
  const Outcome outcome = outcome_of(report, two_peers());
  CHECK(outcome.peers[1].busy == 3 * 3s);  // three slots, not a hundred
  CHECK(outcome.peers[0].busy == 3s);
  CHECK(find_metric("utilisation")->of(outcome) == doctest::Approx(12.0 / 16));
}

// As damaged stores have them: a run itself is never so long.
TEST_CASE("times that add up to more than a clock can count are the longest that it can") {
  constexpr core::Duration century = 876'000h;
  const agents::TaskId task{0, 0};
  core::EngineReport report = empty_report();
  for (int part = 0; part < 4; ++part)
    note(report, 1s, 0, agents::JobSubmitted{0, at(1s), 1, false, century, century});
  note(report, 1s, 0, agents::TaskSubmitted{task, century, 100});
  note(report, century, 1, agents::TaskExecuted{task, century});
  note(report, century, 0, agents::TaskCompleted{task, PeerId{1}});
  const Outcome outcome = outcome_of(report, two_peers());
  CHECK(outcome.peers[1].busy == core::Duration::max());
  CHECK(outcome.jobs.at(0).work == core::Duration::max());
}

TEST_CASE("facts of all peers are merged in order of time") {
  const agents::World world = two_peers();
  const Outcome outcome = outcome_of(told_report(), world);
  REQUIRE(outcome.facts.size() == 13);
  std::vector<FactPlace> places;
  outcome.facts.in_order_of<KnownFacts>(
      [&places](const FactPlace& place) { places.push_back(place); });
  REQUIRE(places.size() == 13);
  CHECK(std::is_sorted(places.begin(), places.end()));
  CHECK(outcome.facts.of<agents::TaskReissued>().front().fact.reason == "overdue");
  CHECK(places[6] == outcome.facts.of<agents::TaskReissued>().front());
}

TEST_CASE("a job is complete only with its last task") {
  const agents::World world = two_peers();
  core::EngineReport report = empty_report();
  note(report, 1s, 0, agents::JobSubmitted{0, at(1s), 2, true, 4s, 2s});
  note(report, 1s, 0, agents::TaskSubmitted{{0, 0}});
  note(report, 3s, 1, agents::TaskExecuted{{0, 0}, 2s});
  note(report, 4s, 0, agents::TaskCompleted{{0, 0}, PeerId{1}});
  const Outcome outcome = outcome_of(report, world);
  CHECK_FALSE(outcome.jobs[0].completed);
  CHECK(outcome.jobs[0].completed_at == Time{});
  REQUIRE(outcome.violations.size() == 1);
  CHECK(outcome.violations[0].invariant == "no-task-lost");
  CHECK(outcome.violations[0].text.starts_with("task 0.1 never completed"));
}

TEST_CASE("a run that came to its limit failed for want of time, and says how much was done") {
  const agents::World world = two_peers();
  core::EngineReport report = empty_report();
  report.ending = core::Ending::limit;
  note(report, 1s, 0, agents::JobSubmitted{0, at(1s), 2, true, 4s, 2s});
  note(report, 1s, 0, agents::TaskSubmitted{{0, 0}, 2s});
  note(report, 1s, 1, agents::TaskStarted{{0, 0}});
  note(report, 2s, 1, agents::TaskExecuted{{0, 0}, 1s});
  note(report, 4s, 0, agents::TaskCompleted{{0, 0}, PeerId{1}});
  OutcomeInputs inputs{.identity = {}, .world = &world, .kinds = {}, .limit = 20s};
  const Outcome outcome = make_outcome(report, inputs);
  CHECK(outcome.failure ==
        "time ran out after 20s; 1 of 2 tasks done; set engine.time_limit to more");
  CHECK(outcome.violations.empty());
  inputs.limit = 21s;  // so that the grace of others was over
  CHECK(make_outcome(report, inputs).failure.empty());
  CHECK(make_outcome(report, inputs).violations[0].invariant == "no-task-lost");
  inputs.limit = 20s;
  core::EngineReport longer = report;
  longer.ended = Time{100s};
  inputs.limit = 100s;
  CHECK(make_outcome(longer, inputs).failure ==
        "time ran out after 100s; 1 of 2 tasks done; no task began or ended after 4 s, so the "
        "others seem lost: see rhizome fate");
  inputs.limit = 20s;
  note(report, 5s, 0, agents::TaskCompleted{{0, 1}, PeerId{1}});
  CHECK(make_outcome(report, inputs).failure.empty());
}

TEST_CASE("a task that was born in the run counts like any other") {
  const agents::World world = two_peers();
  core::EngineReport report = told_report();
  const agents::TaskId born{7, 3};
  note(report, 9s, 1, agents::TaskSubmitted{born, 3s, 2});
  note(report, 9s, 1, agents::TaskStarted{born});
  note(report, 10s, 1, agents::TaskExecuted{born, 1s});
  SUBCASE("and is lost like any other") {
    const Outcome outcome = outcome_of(report, world);
    REQUIRE(outcome.violations.size() == 1);
    CHECK(outcome.violations.front().text.starts_with("task 7.3 never completed"));
  }
  SUBCASE("with its job") {
    note(report, 11s, 1, agents::TaskCompleted{born, PeerId{1}});
    const Outcome outcome = outcome_of(report, world);
    CHECK(outcome.violations.empty());
    REQUIRE(outcome.tasks.size() == 3);
    CHECK(outcome.tasks[2].id == born);
    CHECK(outcome.tasks[2].duration == 3s);
    CHECK(outcome.tasks[2].completed_at == at(11s));
    REQUIRE(outcome.jobs.size() == 2);
    CHECK(outcome.jobs[1].id == 7);
    CHECK(outcome.jobs[1].completed);
    CHECK(outcome.jobs[1].arrived == at(9s));
    CHECK(outcome.jobs[1].work == 3s);
    CHECK(outcome.peers[1].busy == 3s + 2 * 1s);  // two processors
  }
}

TEST_CASE("a task that ran without having been submitted breaks an invariant") {
  const agents::World world = two_peers();
  core::EngineReport report = told_report();
  note(report, 8s, 1, agents::TaskExecuted{{7, 0}, 2s});
  note(report, 9s, 0, agents::TaskCompleted{{7, 0}, PeerId{1}});
  const Outcome outcome = outcome_of(report, world);
  REQUIRE(outcome.violations.size() == 1);
  CHECK(outcome.violations.front().invariant == "tasks-are-submitted");
  CHECK(outcome.violations.front().text.starts_with("task 7.0 was never submitted; "));
}

TEST_CASE("samples count messages by class and tasks completed, by period") {
  const agents::World world = two_peers();
  core::EngineReport report = empty_report(1s);
  core::PacketHeader header;
  header.message_class = core::MessageClass::job;
  report.recorders[0].sent(at(500ms), header, 10);
  report.recorders[1].sent(at(1500ms), header, 10);
  report.recorders[1].sent(at(1700ms), header, 10);
  for (int i = 0; i < 3; ++i) report.recorders[0].received({}, header, 10);
  note(report, 3500ms, 0, agents::TaskCompleted{{0, 0}, PeerId{1}});
  note(report, 3600ms, 0, agents::TaskCompleted{{0, 1}, PeerId{1}});
  const Outcome outcome = outcome_of(report, world, "virtual", 1s);
  REQUIRE(outcome.samples.size() == 4);
  CHECK(outcome.samples[0].messages[1] == 1);
  CHECK(outcome.samples[1].messages[1] == 2);
  CHECK(outcome.samples[2].messages[1] == 0);
  CHECK(outcome.samples[3].from == at(3s));
  CHECK(outcome.samples[3].completed == 2);
}

TEST_CASE("a run of a year has no more samples than one of minutes, and they count as much") {
  const agents::World world = two_peers();
  core::EngineReport report = empty_report(100ms);
  core::PacketHeader header;
  const Duration year = 365 * 24h;
  constexpr int messages = 10'000;
  for (int i = 0; i <= messages; ++i)
    for (core::Recorder& recorder : report.recorders)
      if (&recorder == &report.recorders[0] || i < messages / 3)
        recorder.sent(core::Time{} + i * (year / messages), header, 10);
  note(report, year, 0, agents::TaskCompleted{{0, 0}, PeerId{1}});
  report.ended = core::Time{} + year;
  CHECK(report.recorders[1].samples().period() < report.recorders[0].samples().period());
  const Outcome outcome = outcome_of(report, world, "virtual", 100ms);
  CHECK(outcome.samples.size() > core::Samples::most / 2);
  CHECK(outcome.samples.size() <= core::Samples::most);
  CHECK(outcome.samples.back().completed == 1);
  std::uint64_t sent = 0;
  for (const SampleOutcome& sample : outcome.samples) sent += sample.messages[0];
  CHECK(sent == messages + 1 + messages / 3);
}

TEST_CASE("a run in virtual time is valid by construction, whatever it cost") {
  const agents::World world = two_peers();
  core::EngineReport report = told_report();
  report.fidelity.packet_lag = lags(1000, 10s);
  CHECK(outcome_of(report, world, "virtual").validity.level == Validity::Level::valid);
  CHECK(outcome_of(report, world, "threads").validity.level == Validity::Level::invalid);
}

TEST_CASE("the tolerance is five hundredths of the mean task unless the scenario states one") {
  const agents::World world = two_peers();
  CHECK(lag_tolerance(0s, world.profile) == 100ms);
  CHECK(lag_tolerance(7ms, world.profile) == 7ms);
}

TEST_CASE("one late event in a hundred is allowed, two are not") {
  core::Fidelity fidelity;
  fidelity.timer_lag = lags(10, 1s);
  CHECK(judge_validity(fidelity, 100ms, 1, 10s).level == Validity::Level::valid);
  fidelity.timer_lag = lags(20, 1s);
  CHECK(judge_validity(fidelity, 100ms, 1, 10s).level == Validity::Level::invalid);
}

TEST_CASE("packets between processes are as late as their clocks may differ at worst") {
  core::Fidelity fidelity;
  fidelity.clock_doubt = 11ms;
  CHECK(judge_validity(fidelity, 10ms, 1, 10s).level == Validity::Level::valid);
  fidelity.packet_lag = lags(500, 1ms);
  fidelity.crossing_lag = lags(20, 1ms);
  CHECK(judge_validity(fidelity, 13ms, 1, 10s).level == Validity::Level::valid);
  const Validity verdict = judge_validity(fidelity, 10ms, 1, 10s);
  CHECK(verdict.level == Validity::Level::suspect);
  CHECK(verdict.reason.find("packets between processes") != std::string::npos);
  CHECK(verdict.reason.ends_with("any two clocks may have been apart by 11 ms"));
}

TEST_CASE("up to four times the tolerance a run is suspect, beyond it invalid") {
  core::Fidelity fidelity;
  fidelity.work_lag = lags(500, 100ms);
  CHECK(judge_validity(fidelity, 110ms, 1, 10s).level == Validity::Level::valid);
  CHECK(judge_validity(fidelity, 50ms, 1, 10s).level == Validity::Level::suspect);
  CHECK(judge_validity(fidelity, 20ms, 1, 10s).level == Validity::Level::invalid);
}

TEST_CASE("each measure of lateness alone spoils a run") {
  for (const auto measure : {&core::Fidelity::packet_lag, &core::Fidelity::timer_lag,
                             &core::Fidelity::work_lag, &core::Fidelity::handler_time}) {
    core::Fidelity fidelity;
    fidelity.*measure = lags(500, 1s);
    CHECK(judge_validity(fidelity, 1ms, 1, 10s).level == Validity::Level::invalid);
  }
  core::Fidelity fidelity;  // inboxes may be deep; only lateness of packets counts
  fidelity.inbox_depth.add(1000000, 1000);
  CHECK(judge_validity(fidelity, 1ms, 1, 10s).level == Validity::Level::valid);
}

// The peer's events are too few among those of all peers to change percentiles.
TEST_CASE("a peer that stood still for more than five hundredths of a run spoils it") {
  core::Fidelity fidelity;
  fidelity.packet_lag = lags(1, 500ms);
  const auto level_after = [&fidelity](std::uint32_t peer, core::Duration still) {
    fidelity.stalls.push_back({PeerId{peer}, at(1s), at(1s) + still});
    return judge_validity(fidelity, 100ms, 1, 10s).level;
  };
  CHECK(level_after(3, 500ms) == Validity::Level::valid);
  CHECK(level_after(4, 400ms) == Validity::Level::valid);  // of another
  CHECK(level_after(3, 1ms) == Validity::Level::suspect);  // all in all
  CHECK(level_after(3, 1499ms) == Validity::Level::suspect);
  CHECK(level_after(3, 1ms) == Validity::Level::invalid);
  const Validity verdict = judge_validity(fidelity, 100ms, 1, 10s);
  CHECK(verdict.reason ==
        "peer 3 stood still for 2 s, which is 20.0 % of the run, and 5 % are tolerated");
  CHECK(verdict.tolerance == 100ms);
}

TEST_CASE(
    "a peer that stood still at once for longer than a mean task spoils a run of any length") {
  const auto judge = [](core::Duration still) {
    core::Fidelity fidelity;
    fidelity.stalls.push_back({PeerId{3}, at(1s), at(1s) + still});
    return judge_validity(fidelity, 5ms, 1, 1000s);
  };
  CHECK(judge(100ms).level == Validity::Level::valid);
  CHECK(judge(101ms).level == Validity::Level::suspect);
  CHECK(judge(400ms).level == Validity::Level::suspect);
  CHECK(judge(401ms).level == Validity::Level::invalid);
  CHECK(judge(300ms).reason == "peer 3 stood still for 300 ms, and 100 ms at once are tolerated");
}

TEST_CASE("the worse of lags and standstill is told") {
  core::Fidelity fidelity;
  fidelity.timer_lag = lags(500, 100ms);
  fidelity.stalls.push_back({PeerId{3}, at(1s), at(2s)});
  const auto reason = [&](core::Duration length) {
    return judge_validity(fidelity, 60ms, 1, length).reason.substr(0, 6);
  };
  CHECK(reason(10s) == "one in");
  CHECK(reason(4s) == "peer 3");
}

TEST_CASE("the verdict tells the worst measure and the time scale that would do") {
  core::Fidelity fidelity;
  fidelity.timer_lag = lags(500, 20ms);
  fidelity.packet_lag = lags(500, 80ms);
  const Validity verdict = judge_validity(fidelity, 20ms, 4, 10s);
  CHECK(verdict.worst_lag >= 80ms);
  CHECK(verdict.worst_lag <= 85ms);
  CHECK(verdict.reason.starts_with("one in a hundred packets were late by 8"));
  CHECK(verdict.reason.ends_with(" ms or more, the tolerance is 20 ms"));
  // 4 · 20/80 would be just enough; with a fifth in hand that is 0.8 or a little less.
  CHECK((verdict.remedy == "use fewer peers, or engine.time_scale = 0.8" ||
         verdict.remedy == "use fewer peers, or engine.time_scale = 0.7"));
}

}  // namespace rhizome::scenarios::outcome_test
