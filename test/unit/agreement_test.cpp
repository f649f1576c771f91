#include "tools/agree/agreement.hpp"

#include <doctest/doctest.h>

#include "test/support/experiments.hpp"
#include "test/support/figures.hpp"
#include "test/support/outcomes.hpp"

namespace rhizome::agreement_test {

using namespace scenarios;
using namespace tools;
using namespace std::chrono_literals;

namespace {

// Runs of one engine with the seeds 1, 2, ...; its phases are tenths of the makespan.
void add(std::vector<EngineRun>& runs, const std::string& engine,
         const std::vector<double>& makespans) {
  for (RunFigures& figures : test::runs_of("grid", makespans)) {
    figures.identity.engine = engine;
    EngineRun run{.figures = figures, .phases = {}};
    for (std::size_t phase = 0; phase < phases; ++phase)
      run.phases.seconds[phase] =
          figures.values[test::metric_position("makespan")] * static_cast<double>(phase + 1) / 10;
    runs.push_back(run);
  }
}

MetricAgreement makespan_of(const std::vector<EngineRun>& runs, double margin) {
  const std::vector<Margin> margins{{"makespan", margin}};
  const auto agreements = agree(runs, margins);
  REQUIRE(agreements.size() == 1);
  return agreements.front().metrics.front();
}

}  // namespace

TEST_CASE("engines whose difference lies within the margin are equivalent") {
  std::vector<EngineRun> runs;
  add(runs, "threads", {10.1, 11.1, 12.2});
  add(runs, "virtual", {10.0, 11.0, 12.0});
  const MetricAgreement within = makespan_of(runs, 0.05);
  CHECK(within.verdict == Equivalence::equivalent);
  CHECK(within.ratio.value == doctest::Approx(33.4 / 33.0));
}

TEST_CASE("engines that differ by more than the margin are different, from the first such phase") {
  std::vector<EngineRun> runs;
  add(runs, "threads", {12.0, 13.2, 14.5});
  add(runs, "virtual", {10.0, 11.0, 12.0});
  for (EngineRun& run : runs)  // alike up to the fourth tenth
    if (run.figures.identity.engine == "threads")
      for (std::size_t phase = 0; phase < 4; ++phase) run.phases.seconds[phase] /= 1.205;
  const MetricAgreement apart = makespan_of(runs, 0.05);
  CHECK(apart.verdict == Equivalence::different);
  REQUIRE(apart.first_phase.has_value());
  CHECK(*apart.first_phase == 5);
}

TEST_CASE("a metric that applies to neither engine says nothing, one that applies to one is open") {
  std::vector<EngineRun> runs;
  add(runs, "virtual", {not_applicable, not_applicable});
  add(runs, "threads", {not_applicable, not_applicable});
  CHECK(makespan_of(runs, 0.05).verdict == Equivalence::inapplicable);
  const std::vector<Margin> margins{{"makespan", 0.05}};
  CHECK(overall(agree(runs, margins)) == Equivalence::equivalent);
  runs.resize(2);
  add(runs, "threads", {1, 1});
  CHECK(makespan_of(runs, 0.05).verdict == Equivalence::too_wide);
}

TEST_CASE("too wide an interval asks for as many more runs as would do") {
  std::vector<EngineRun> runs;
  add(runs, "threads", {9.0, 11.0, 13.0});
  add(runs, "virtual", {10.0, 11.0, 12.0});
  const MetricAgreement open = makespan_of(runs, 0.05);
  CHECK(open.verdict == Equivalence::too_wide);
  CHECK(open.more_runs > 0);
  std::vector<EngineRun> apart;
  add(apart, "threads", {9.0, 12.0, 15.0});
  add(apart, "virtual", {10.0, 11.0, 12.0});
  CHECK(makespan_of(apart, 0.05).more_runs == 0);  // the means are further apart than the margin
}

TEST_CASE("runs that are not sound prove no agreement") {
  std::vector<EngineRun> runs;
  add(runs, "threads", {10.1, 11.1, 12.2});
  add(runs, "virtual", {10.0, 11.0, 12.0});
  const std::vector<Margin> margins{{"makespan", 0.05}};
  CHECK(overall(agree(runs, margins)) == Equivalence::equivalent);
  runs.front().figures.validity.level = Validity::Level::invalid;
  CHECK(overall(agree(runs, margins)) == Equivalence::too_wide);
}

TEST_CASE("a difference in runs that the machine could not carry proves no divergence") {
  std::vector<EngineRun> runs;
  add(runs, "threads", {20.1, 21.1, 22.2});
  add(runs, "virtual", {10.0, 11.0, 12.0});
  const std::vector<Margin> margins{{"makespan", 0.05}};
  CHECK(overall(agree(runs, margins)) == Equivalence::different);
  runs.front().figures.validity.level = Validity::Level::invalid;
  CHECK(overall(agree(runs, margins)) == Equivalence::too_wide);
}

TEST_CASE("a metric that only one engine has is a difference") {
  std::vector<EngineRun> runs;
  add(runs, "threads", {5, 6, 7});
  add(runs, "virtual", {0, 0, 0});
  CHECK(makespan_of(runs, 0.05).verdict == Equivalence::different);
  std::vector<EngineRun> none;
  add(none, "threads", {0, 0, 0});
  add(none, "virtual", {0, 0, 0});
  CHECK(makespan_of(none, 0.05).verdict == Equivalence::equivalent);
}

// One-sided t test of an effect of one deviation at 5 % with power 80 %: 8 runs, since
// (1.895 + 0.896) / √8 = 0.987 and (1.943 + 0.906) / √7 = 1.077.
TEST_CASE("the number of runs needed is that of the tables of Student's t") {
  CHECK(needed_runs(0.05, 0.05) == 8);
  CHECK(needed_runs(0.10, 0.10) == 8);
  CHECK(needed_runs(0.05, 0.025) > 4 * 6);
  CHECK(needed_runs(0, 0.01) == 2);
  CHECK(needed_runs(0.05, 0) == 0);
  CHECK(needed_runs(0.05, -0.01) == 0);
  CHECK(needed_runs(10, 0.01) == 0);  // a million
}

TEST_CASE("phases end when each tenth of the tasks has completed") {
  // Four tasks: completed 3 s after their submission at 0 s and at 10 s.
  const PhaseFigures figures = phases_of(test::busy_outcome());
  CHECK(figures.seconds.front() == doctest::Approx(3));
  CHECK(figures.seconds.back() == doctest::Approx(13));
  CHECK(std::is_sorted(figures.seconds.begin(), figures.seconds.end()));
}

TEST_CASE("a metric is looked for in its own course, and in no other") {
  PhaseFigures figures;
  figures.seconds[0] = 1;
  figures.utilisation[0] = 2;
  const auto job = static_cast<std::size_t>(core::MessageClass::job);
  CHECK(series_for(figures, "makespan")->front() == 1);
  CHECK(series_for(figures, "utilisation")->front() == 2);
  CHECK(series_for(figures, "job_messages") == nullptr);  // no samples
  figures.messages.emplace()[job][0] = 3;
  CHECK(series_for(figures, "job_messages")->front() == 3);
  CHECK(series_for(figures, "job_messages_top2") == nullptr);  // no log
  figures.ranked_messages.emplace()[job][1][0] = 4;
  CHECK(series_for(figures, "job_messages_top2")->front() == 4);
  CHECK(series_for(figures, "job_bytes") == nullptr);
  CHECK(series_for(figures, "mean_depth") == nullptr);
}

// Tasks are done at 3 s (two of them) and at 13 s (two more).
TEST_CASE("the most loaded peers are ranked anew at the end of each phase") {
  Outcome outcome = test::busy_outcome();
  outcome.messages.clear();
  const auto send = [&](core::Duration when, std::uint32_t from, std::uint32_t to) {
    outcome.messages.push_back({.sent = test::at(when),
                                .received = test::at(when + 1ms),
                                .from = core::PeerId{from},
                                .to = core::PeerId{to}});
  };
  for (int i = 0; i < 3; ++i) send(1s, 0, 1);
  for (int i = 0; i < 5; ++i) send(5s, 2, 0);
  send(2999500us, 2, 1);  // sent within the first half, received after it
  const auto figures = phases_of(outcome);
  REQUIRE(figures.ranked_messages.has_value());
  const auto& job = (*figures.ranked_messages)[static_cast<std::size_t>(core::MessageClass::job)];
  CHECK(job[0].front() == 3);  // peers 0 and 1
  CHECK(job[1].front() == 3);
  CHECK(job[2].front() == 1);  // peer 2, which has only sent
  CHECK(job[0].back() == 8);   // peer 0
  CHECK(job[1].back() == 6);   // peer 2
  CHECK(job[2].back() == 4);   // peer 1
}

TEST_CASE("the course of a metric ends near the metric itself") {
  const Outcome outcome = test::run_scenario(
      "peers.count = 30\nworkload.jobs = 40\nengine.kind = \"virtual\"\n"
      "engine.log_messages = true\n[[scheduler]]\nuse = \"organic-grid\"\n");
  const PhaseFigures figures = phases_of(outcome);
  for (const std::string metric : {"makespan", "utilisation", "job_messages", "job_messages_top1",
                                   "job_messages_top3", "result_messages", "result_messages_top1",
                                   "result_messages_top2", "information_messages_top1"}) {
    CAPTURE(metric);
    const PhaseSeries* series = series_for(figures, metric);
    REQUIRE(series != nullptr);
    const double whole = find_metric(metric)->of(outcome);
    CHECK(series->back() <= whole * (1 + 1e-9));
    CHECK(series->back() > 0.9 * whole);  // little happens after the last result
    CHECK(series->front() < (metric == "utilisation" ? 1 : 0.5 * whole));
  }
}

TEST_CASE("utilisation is that of the slots up to the end of each phase") {
  Outcome outcome = test::busy_outcome();
  outcome.facts = {};
  test::say(outcome, 2s, 1, agents::TaskExecuted{{}, 1500ms});
  test::say(outcome, 9s, 1, agents::TaskExecuted{{}, 4s});
  const auto figures = phases_of(outcome);
  CHECK(figures.utilisation.front() == doctest::Approx(1.5 / (3 * 3)));
  CHECK(figures.utilisation.back() == doctest::Approx(5.5 / (3 * 13)));
}

TEST_CASE("where runs kept too little, the phase of a difference is not known") {
  std::vector<EngineRun> runs;
  add(runs, "threads", {12.0, 13.2, 14.5});
  add(runs, "virtual", {10.0, 11.0, 12.0});
  const std::size_t top = test::metric_position("job_messages_top1");
  for (EngineRun& run : runs)
    run.figures.values[top] = run.figures.values[test::metric_position("makespan")];
  const std::vector<Margin> margins{{"job_messages_top1", 0.05}};
  const auto blind = agree(runs, margins);
  CHECK(blind.front().metrics.front().verdict == Equivalence::different);
  CHECK_FALSE(blind.front().metrics.front().phases_known);
  CHECK(text_of(blind).find("different\n    phase not known") != std::string::npos);
  CHECK(text_of(blind).find("engine.log_messages=true") != std::string::npos);
  for (EngineRun& run : runs) {
    auto& series = run.phases.ranked_messages.emplace()[1][0];  // alike but for the last phase
    series.fill(100);
    series.back() = run.figures.values[top];
  }
  static_assert(core::MessageClass{1} == core::MessageClass::job);
  const auto seeing = agree(runs, margins);
  CHECK(seeing.front().metrics.front().first_phase == 10);
}

TEST_CASE("threads of several processes are compared with those of one by the same rules") {
  std::vector<EngineRun> runs;
  add(runs, "several", {10.1, 11.1, 12.2});
  add(runs, "one", {10.0, 11.0, 12.0});
  const std::vector<Margin> margins{{"makespan", 0.05}};
  runs[0].figures.validity = {Validity::Level::suspect, "a little late", "", 2ms, 1ms};
  const auto agreements = agree(runs, margins, several_beside_one());
  CHECK(overall(agreements) == Equivalence::equivalent);
  REQUIRE(agreements.size() == 1);
  CHECK(agreements[0].runs == 3);
  const std::string text = text_of(agreements);
  CHECK(text.find("! 1 of 3 several-process runs suspect: a little late\n") != std::string::npos);
  CHECK(text.find("Differences are several - one") != std::string::npos);
  CHECK(json_of(agreements).find("\"one\"") != std::string::npos);
}

TEST_CASE("runs in doubt stand below the table, with the reason of the worst") {
  std::vector<EngineRun> runs;
  add(runs, "threads", {10.1, 11.1, 12.2});
  add(runs, "virtual", {10.0, 11.0, 12.0});
  const std::vector<Margin> margins{{"makespan", 0.05}};
  CHECK(text_of(agree(runs, margins)).find("suspect") == std::string::npos);
  runs[0].figures.validity = {Validity::Level::suspect, "a little late", "", 2ms, 1ms};
  runs[2].figures.validity = {Validity::Level::suspect, "later", "", 3ms, 1ms};
  const auto agreements = agree(runs, margins);
  CHECK(text_of(agreements).find("! 2 of 3 thread runs suspect: later\n") != std::string::npos);
  CHECK(overall(agreements) == Equivalence::equivalent);
  runs[1].figures.validity = {Validity::Level::invalid, "far too late", "", 9ms, 1ms};
  CHECK(text_of(agree(runs, margins)).find("! 1 of 3 thread runs invalid: far too late\n") !=
        std::string::npos);
}

TEST_CASE("runs that were done again, because they were invalid, are reported as such") {
  std::vector<EngineRun> runs;
  add(runs, "threads", {10.1, 11.1, 12.2});
  add(runs, "virtual", {10.0, 11.0, 12.0});
  const std::vector<Margin> margins{{"makespan", 0.05}};
  CHECK(text_of(agree(runs, margins)).find("again") == std::string::npos);
  runs[1].figures.repeated = 2;
  const auto agreements = agree(runs, margins);
  CHECK(text_of(agreements).find("! 2 runs that were invalid were done again\n") !=
        std::string::npos);
  CHECK(json_of(agreements).find("\"repeated\": 2") != std::string::npos);
  CHECK(overall(agreements) == Equivalence::equivalent);
}

}  // namespace rhizome::agreement_test
