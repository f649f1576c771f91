#include "scenarios/agree/agreement.hpp"

#include <doctest/doctest.h>

#include "test/support/figures.hpp"
#include "test/support/outcomes.hpp"

namespace rhizome {

using namespace scenarios;

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

TEST_CASE("what only one engine does at all is a difference") {
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

TEST_CASE("a metric is looked for in the messages of its class, else in time") {
  PhaseFigures figures;
  figures.seconds[0] = 1;
  figures.messages[static_cast<std::size_t>(core::MessageClass::job)][0] = 2;
  CHECK(series_for(figures, "job_messages_top2")[0] == 2);
  CHECK(series_for(figures, "makespan")[0] == 1);
}

}  // namespace rhizome
