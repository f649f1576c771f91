// Verdicts on changes: the winner and its margin, and whether a later run is no worse.
#include "tools/compare/judgement.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "agents/scheduler.hpp"
#include "agents/schedulers.hpp"
#include "test/support/figures.hpp"
#include "tools/compare/compare.hpp"
#include "tools/compare/render.hpp"
#include "tools/compare/wording.hpp"

namespace rhizome::scenarios::no_worse_test {

using namespace tools;

using test::runs_of;
using test::together;

namespace {

const Metric& makespan() { return *find_metric("makespan"); }

// The runs of one label in two directories.
std::vector<RunFigures> before_and_after(const std::vector<double>& before,
                                         const std::vector<double>& after) {
  std::vector<RunFigures> runs = runs_of("a", before);
  for (RunFigures& run : runs) run.origin = "before";
  for (RunFigures& run : runs_of("a", after)) {
    run.origin = "after";
    runs.push_back(run);
  }
  return runs;
}

Standing judged(const std::vector<RunFigures>& runs, double percent) {
  const std::vector<NoWorse> bounds{{.metric = &makespan(), .percent = percent}};
  const auto results = judge_no_worse(bounds, runs, 0.95);
  REQUIRE(results.size() == 1);
  return results.front().standing;
}

std::string winner(const std::vector<RunFigures>& runs, std::vector<const Metric*> only = {}) {
  return winner_text(compare(runs, {.only = std::move(only)}).front());
}

const std::vector<double> figures{100, 110, 120, 130};

}  // namespace

TEST_CASE("a later run is no worse within its bound, worse beyond, and open between") {
  CHECK(judged(before_and_after(figures, figures), 0) == Standing::holds);
  CHECK(judged(before_and_after(figures, {101, 111, 121, 131}), 2) == Standing::holds);
  CHECK(judged(before_and_after(figures, {101, 111, 121, 131}), 0) == Standing::fails);
  CHECK(judged(before_and_after(figures, {110, 121, 132, 143}), 2) == Standing::fails);
  CHECK(judged(before_and_after(figures, {90, 121, 115, 140}), 2) == Standing::not_distinguishable);
  CHECK(judged(before_and_after(figures, {90, 100, 110, 120}), 0) == Standing::holds);
}

TEST_CASE("for a metric that is better if more, less is worse") {
  std::vector<RunFigures> runs = before_and_after(figures, figures);
  const std::size_t position = test::metric_position("utilisation");
  for (RunFigures& run : runs)
    run.values[position] =
        (run.origin == "before" ? 0.8 : 0.6) + 0.001 * static_cast<double>(run.identity.seed);
  const std::vector<NoWorse> bounds{{.metric = find_metric("utilisation"), .percent = 5}};
  CHECK(judge_no_worse(bounds, runs, 0.95).front().standing == Standing::fails);
  for (RunFigures& run : runs) run.values[position] = 1.4 - run.values[position];
  CHECK(judge_no_worse(bounds, runs, 0.95).front().standing == Standing::holds);
}

TEST_CASE("no verdict follows from too few runs, invalid ones or lost work") {
  CHECK(judged(before_and_after({100}, {200}), 2) == Standing::inconclusive);
  auto runs = before_and_after(figures, {200, 210, 220, 230});
  runs.back().validity.level = Validity::Level::invalid;
  CHECK(judged(runs, 2) == Standing::inconclusive);
  runs = before_and_after(figures, {200, 210, 220, 230});
  runs.back().unfinished = 1;
  CHECK(judged(runs, 2) == Standing::inconclusive);
}

TEST_CASE("a cell that one of two runs lacks is undecided, and so is a comparison with nothing") {
  const std::vector<NoWorse> bounds{{.metric = &makespan(), .percent = 2}};
  auto runs = before_and_after(figures, figures);
  for (RunFigures& run : runs) run.identity.cell = {{"workload.jobs", "20"}};
  for (RunFigures& run : before_and_after(figures, figures)) {
    run.identity.cell = {{"workload.jobs", run.origin == "before" ? "40" : "80"}};
    runs.push_back(run);
  }
  const auto results = judge_no_worse(bounds, runs, 0.95);
  REQUIRE(results.size() == 3);
  CHECK(results[0].standing == Standing::holds);
  CHECK(results[1].standing == Standing::inconclusive);
  CHECK(results[1].reason == "after has no runs of it");
  CHECK(results[2].standing == Standing::inconclusive);
  CHECK(results[2].reason == "before has no runs of it");
  std::erase_if(runs, [](const RunFigures& run) { return run.origin == "after"; });
  REQUIRE(judge_no_worse(bounds, runs, 0.95).size() == 1);
  CHECK(judge_no_worse(bounds, runs, 0.95).front().standing == Standing::inconclusive);
}

TEST_CASE("schedulers are judged against themselves, also where one of two runs has more of them") {
  const std::vector<NoWorse> bounds{{.metric = &makespan(), .percent = 2}};
  auto runs = before_and_after({300, 310, 320, 330}, {300, 310, 320, 330});
  for (RunFigures& run : before_and_after(figures, {200, 210, 220, 230})) {
    run.identity.label = "b";
    runs.push_back(run);
  }
  for (RunFigures& run : runs_of("c", figures)) {
    run.origin = "after";
    runs.push_back(run);
  }
  const auto results = judge_no_worse(bounds, runs, 0.95);
  REQUIRE(results.size() == 3);
  CHECK(results[0].standing == Standing::holds);
  CHECK(results[1].standing == Standing::fails);
  CHECK(results[2].standing == Standing::inconclusive);
  CHECK(results[2].reason == "only after has runs of c");
}

TEST_CASE("two runs of one scheduler each are compared, whatever these are called") {
  auto runs = before_and_after(figures, {200, 210, 220, 230});
  for (RunFigures& run : runs)
    if (run.origin == "after") run.identity.label = "b";
  CHECK(judged(runs, 2) == Standing::fails);
}

TEST_CASE("a difference in the last bits of sums is none") {
  std::vector<double> slightly(figures);
  for (double& figure : slightly) figure += 1e-14 * figure;
  CHECK(judged(before_and_after(figures, slightly), 0) == Standing::holds);
  CHECK(judged(before_and_after(slightly, figures), 0) == Standing::holds);
  const std::vector<double> tenth{0.1, 0.1 + 4e-17, 0.1};
  CHECK(test::judged("a.makespan <= 0.1", runs_of("a", tenth)) == Standing::holds);
  CHECK(test::judged("a.makespan < 0.1", runs_of("a", tenth)) != Standing::holds);
}

TEST_CASE("the winner is named with how far it is ahead of the next best") {
  const auto third = runs_of("c", {50, 55, 60, 65});
  auto all = together(together(runs_of("a", figures), runs_of("b", {200, 220, 240, 260})), third);
  CHECK(winner(all, {&makespan()}) == "Best by makespan: c, 50 % [50, 50] less than a.");
  all.back().violations = 1;
  CHECK(winner(all, {&makespan()}) ==
        "Best by makespan: c (with broken invariants), 50 % [50, 50] less than a.");
}

TEST_CASE("a bound never wins, and alone beside one scheduler leaves no winner") {
  for (const agents::Scheduler& scheduler : agents::catalogue())
    CHECK(agents::is_bound(scheduler.name) == scheduler.summary.starts_with("a bound"));
  const std::vector<const Metric*> only{&makespan()};
  const auto beside = together(runs_of("omniscient", {10, 11, 12, 13}), runs_of("a", figures));
  CHECK(winner(beside, only).empty());
  CHECK(winner(together(beside, runs_of("b", {200, 220, 240, 260})), only) ==
        "Best by makespan: a, 50 % [50, 50] less than b.");
}

TEST_CASE("overlays without work are not ranked unless a metric is chosen") {
  auto runs = together(runs_of("a", figures), runs_of("b", {200, 220, 240, 260}));
  CHECK(winner(runs) != "");
  for (RunFigures& run : runs) run.values[test::metric_position("mean_path")] = 2;
  CHECK(winner(runs).empty());
  CHECK(winner(runs, {&makespan()}) == "Best by makespan: a, 50 % [50, 50] less than b.");
}

TEST_CASE("there is no winner where sides cannot be told apart or prove nothing") {
  const std::vector<const Metric*> only{&makespan()};
  CHECK(winner(together(runs_of("a", figures), runs_of("b", figures)), only) ==
        "No winner by makespan: a and b are equal.");
  CHECK(winner(together(runs_of("a", figures), runs_of("b", {90, 121, 115, 140})), only) ==
        "No winner by makespan: a and b are not distinguishable.");
  CHECK(winner(together(runs_of("a", {1}), runs_of("b", {2})), only) ==
        "Best by makespan: a, but a single run says nothing about chance.");
  auto runs = together(runs_of("a", figures), runs_of("b", {200, 210, 220, 230}));
  runs.front().validity.level = Validity::Level::invalid;
  CHECK(winner(runs, only) ==
        "No winner by makespan: runs that are invalid or were steered prove nothing.");
  runs.front().validity.level = Validity::Level::valid;
  runs.front().unfinished = 1;
  CHECK(winner(runs, only) == "No winner by makespan: runs did not do the same work.");
  CHECK(winner(runs_of("a", figures), only).empty());
  CHECK(winner(runs, {find_metric("warm_up")}).empty());
}

TEST_CASE("only the requested metrics are compared, in their order") {
  const auto runs = together(runs_of("a", figures), runs_of("b", {200, 210, 220, 230}));
  const Comparison comparison =
      compare(runs, {.only = {find_metric("job_messages"), &makespan()}}).front();
  REQUIRE(comparison.rows.size() == 2);
  CHECK(comparison.rows[0].metric->name == "job_messages");
  CHECK(text_of(comparison, {.all = true}).find("mean response") == std::string::npos);
}

TEST_CASE("long times are told in hours and days") {
  const auto told = [](double seconds) {
    ComparisonRow row{.metric = &makespan(), .unit = "s", .means = {}, .versus = {}};
    row.means.push_back({seconds, Interval{seconds * 0.9, seconds * 1.1}});
    row = in_fitting_unit(row);
    return heading(row) + ": " + mean_text(row.means.front());
  };
  CHECK(told(9'000) == "makespan, s: 9000 ±900");
  CHECK(told(35'000) == "makespan, h: 9.722 ±0.972");
  CHECK(told(72'000) == "makespan, h: 20.00 ±2.00");
  CHECK(told(2'740'000) == "makespan, d: 31.71 ±3.17");
}

}  // namespace rhizome::scenarios::no_worse_test
