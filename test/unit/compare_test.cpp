#include "tools/compare/compare.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "test/support/figures.hpp"
#include "tools/compare/judgement.hpp"
#include "tools/compare/render.hpp"
#include "tools/compare/wording.hpp"

namespace rhizome::scenarios::compare_test {

using namespace tools;

using test::fast;
using test::judged;
using test::run_of;
using test::runs_of;
using test::slow;
using test::together;

namespace {

const ComparisonRow& row(const Comparison& comparison, const std::string& metric) {
  return comparison.rows[test::metric_position(metric)];
}

bool warned(const Comparison& comparison, const std::string& words) {
  return std::any_of(comparison.warnings.begin(), comparison.warnings.end(),
                     [&](const std::string& text) { return text.find(words) != text.npos; });
}

}  // namespace

TEST_CASE(
    "a side with a run that failed is neither better nor worse, and is told with its reason") {
  auto runs = together(runs_of("a", fast), runs_of("b", slow));
  runs[1].failure = "the root is dead\nits last words";
  runs[1].unfinished = 7;
  runs[1].violations = 1;
  const Comparison comparison = compare(runs, {}).front();
  CHECK(row(comparison, "makespan").versus[1].verdict == Verdict::not_comparable);
  CHECK(verdict_text(*row(comparison, "makespan").metric, row(comparison, "makespan").versus[1]) ==
        "not comparable");
  REQUIRE(comparison.sides[0].failed.size() == 1);
  CHECK(warned(comparison, "a: 1 of 4 runs failed: the root is dead (repetition 1)"));
  CHECK(text_of(comparison, {}).find("\na: 1 of 4 runs failed, so its figures") !=
        std::string::npos);
  CHECK(overall({}, runs) == Standing::fails);
  CHECK(verdict_text({}, runs) == "failed: a: the root is dead");
  CHECK(verdict_text({}, runs_of("a", fast)) == "no claims");
  runs[0].failure = "peer 9, line 60: it ended";
  runs[2].failure = "peer 14, line 7: it ended";
  CHECK(warned(compare(runs, {}).front(),
               "a: 2 of 4 runs failed: peer 9, line 60: it ended (repetitions 1, 1)"));
}

TEST_CASE("a side of which a run lost a process is neither better nor worse, and that is told") {
  auto runs = together(runs_of("a", fast), runs_of("b", slow));
  runs[2].lost = true;
  const Comparison comparison = compare(runs, {}).front();
  CHECK(row(comparison, "makespan").versus[1].verdict == Verdict::not_comparable);
  CHECK(warned(comparison, "a: 1 of 4 runs lost a process: what its peers sent"));
}

TEST_CASE("times of more peers than a clock can tell together keep their share") {
  using std::chrono::hours;
  scenarios::PeerTimes times;
  std::vector<scenarios::Judged> sum;
  for (int peer = 0; peer < 3000; ++peer) times.add(hours(24 * 30), hours(24 * 120));
  for (int run = 0; run < 3; ++run) scenarios::add_judged(sum, times.of("tree"));
  REQUIRE(sum.size() == 1);
  CHECK(sum.front().share() == doctest::Approx(0.25));
  CHECK(sum.front().whole < hours(24 * 365 * 74));
  CHECK(sum.front().whole > hours(24 * 365 * 72));
}

TEST_CASE("a run that was steered by hand is told, and no claim about its side is judged") {
  auto runs = together(runs_of("a", fast), runs_of("b", slow));
  const std::string claim = "a.makespan < b.makespan";
  CHECK(judged(claim, runs) == Standing::holds);
  CHECK_FALSE(compare(runs, {}).front().inconclusive());
  runs[1].steered = 2;
  CHECK(judged(claim, runs) == Standing::inconclusive);
  const Comparison comparison = compare(runs, {}).front();
  CHECK(comparison.sides[0].steered == 1);
  CHECK(comparison.sides[1].steered == 0);
  CHECK(comparison.inconclusive());
  CHECK(warned(comparison, "a: 1 of 4 runs steered by hand"));
  CHECK_FALSE(warned(comparison,
                     "a: 1 of 4 runs steered by hand: faults befell it that its "
                     "scenario does not have; runs/x/steered.toml does the same again"));
  runs[1].steered_as = "runs/x/steered.toml";
  CHECK(warned(compare(runs, {}).front(),
               "a: 1 of 4 runs steered by hand: faults befell it that its scenario does not have; "
               "runs/x/steered.toml does the same again"));
  CHECK(compare(runs, {}).front().sides[0].steered_as ==
        std::vector<std::string>{"runs/x/steered.toml"});
  CHECK(overall({}, runs) == Standing::holds);
}

TEST_CASE("runs that were put aside for being invalid are counted and told beside the figures") {
  auto runs = together(runs_of("a", fast), runs_of("b", slow));
  CHECK(compare(runs, {}).front().warnings.empty());
  runs[0].repeated = 1;
  const auto told = [&](const std::string& how_many) {
    return warned(compare(runs, {}).front(),
                  "a: " + how_many +
                      " put aside and done again (--retry), so what is left is chosen by validity");
  };
  CHECK(told("1 invalid run was"));
  runs[2].repeated = 2;
  CHECK(told("3 invalid runs were"));
  CHECK(compare(runs, {}).front().sides[0].repeated == 3);
  CHECK(compare(runs, {}).front().sides[1].repeated == 0);
}

TEST_CASE("a metric that does not apply to some run is no figure, no difference and no proof") {
  const auto runs = together(runs_of("a", fast), runs_of("b", {101, not_applicable, 303, 404}));
  const Comparison comparison = compare(runs, {}).front();
  const ComparisonRow& makespan = row(comparison, "makespan");
  CHECK(mean_text(makespan.means[0]).starts_with("250"));
  CHECK(mean_text(makespan.means[1]) == "n/a");
  CHECK(versus_text(makespan.versus[1]) == "n/a");
  CHECK(makespan.versus[1].verdict == Verdict::inapplicable);
  CHECK(verdict_text(*makespan.metric, makespan.versus[1]).empty());
  CHECK(judged("a.makespan < b.makespan", runs) == Standing::inconclusive);
  CHECK(judged("b.makespan < 1000", runs) == Standing::inconclusive);
}

TEST_CASE("open runs of one duration are comparable, and their open tasks are shown") {
  auto runs = together(runs_of("a", fast), runs_of("b", slow));
  for (RunFigures& run : runs) run.open_for = std::chrono::seconds(3);
  const auto open_tasks = test::metric_position("open_tasks");
  SUBCASE("of one duration") {
    const Comparison comparison = compare(runs, {}).front();
    CHECK(row(comparison, "makespan").versus[1].verdict == Verdict::more);
    CHECK(comparison.warnings.empty());
    CHECK(comparison.headline(comparison.rows[open_tasks]));
    CHECK(judged("a.makespan < b.makespan", runs) == Standing::holds);
  }
  SUBCASE("of another duration") {
    runs.back().open_for = std::chrono::seconds(4);
    const Comparison comparison = compare(runs, {}).front();
    CHECK(row(comparison, "makespan").versus[1].verdict == Verdict::not_comparable);
    CHECK(warned(comparison, "b: open runs are compared with those of their duration"));
  }
  SUBCASE("one of them given up") {
    runs.back().failure = "the source is out of reach";
    const Comparison comparison = compare(runs, {}).front();
    CHECK(row(comparison, "makespan").versus[1].verdict == Verdict::not_comparable);
  }
  SUBCASE("none of them open") {
    for (RunFigures& run : runs) run.open_for = {};
    const Comparison comparison = compare(runs, {}).front();
    CHECK_FALSE(comparison.headline(comparison.rows[open_tasks]));
  }
}

TEST_CASE("overlays without work have headlines of their own") {
  auto runs = together(runs_of("a", fast), runs_of("b", slow));
  const auto set = [&](const std::string& metric, double value) {
    for (RunFigures& run : runs) run.values[test::metric_position(metric)] = value;
  };
  const auto shown = [&](const std::string& metric) {
    const Comparison comparison = compare(runs, {}).front();
    return comparison.headline(row(comparison, metric));
  };
  set("mean_path", 2);
  set("cycles_to_order", std::nan(""));
  set("job_messages", 5);
  CHECK(shown("makespan"));
  CHECK_FALSE(shown("mean_path"));
  set("job_messages", 0);
  CHECK_FALSE(shown("makespan"));
  CHECK(shown("mean_path"));
  CHECK_FALSE(shown("cycles_to_order"));  // Cyclon alone has no order to reach
}

TEST_CASE("judgements are added up over runs, and a lack of them is reported") {
  auto runs = runs_of("a", fast);
  using namespace std::chrono_literals;
  for (RunFigures& run : runs) run.judged = {{"tree", 30s, 60s}, {"groups", 0s, 60s}};
  runs[0].judged[0].judged = 60s;
  const Comparison comparison = compare(runs, {}).front();
  CHECK(judged_text(comparison) ==
        "Trees and groups could be checked for this share of the run: a tree 62 %, groups not "
        "judged.");
  CHECK(judged_text(compare(runs_of("a", fast), {}).front()).empty());
}

TEST_CASE("labels are compared to the first one over common seeds") {
  const auto comparisons = compare(together(runs_of("a", fast), runs_of("b", slow)), {});
  REQUIRE(comparisons.size() == 1);
  const Comparison& comparison = comparisons.front();
  CHECK(comparison.title == "race");
  CHECK(comparison.engine == "virtual");
  REQUIRE(comparison.sides.size() == 2);
  CHECK(comparison.sides[1].name == "b");
  CHECK(comparison.sides[1].runs == 4);
  CHECK(comparison.warnings.empty());
  CHECK_FALSE(comparison.inconclusive());

  const ComparisonRow& makespan = row(comparison, "makespan");
  CHECK(makespan.means[0].value == doctest::Approx(250));
  CHECK(makespan.means[1].value == doctest::Approx(252.5));
  const Versus& versus = makespan.versus[1];
  CHECK(versus.paired);
  CHECK(versus.verdict == Verdict::more);
  CHECK(versus.difference.value == doctest::Approx(2.5));
  CHECK(versus.difference.interval.value().low > 0);
  CHECK(versus.ratio.value == doctest::Approx(1.01));
}

TEST_CASE("pairs are found by seed, not by position") {
  auto shuffled = runs_of("b", slow);
  std::reverse(shuffled.begin(), shuffled.end());
  const auto straight = compare(together(runs_of("a", fast), runs_of("b", slow)), {});
  const auto turned = compare(together(runs_of("a", fast), shuffled), {});
  CHECK(row(turned[0], "makespan").versus[1].difference.interval ==
        row(straight[0], "makespan").versus[1].difference.interval);
}

TEST_CASE("each of several runs that share a seed belongs to one pair") {
  const std::vector<RunFigures> first{run_of("a", 7, 10), run_of("a", 7, 20)};
  const std::vector<RunFigures> second{run_of("b", 7, 1), run_of("b", 7, 2)};
  const std::vector<const RunFigures*> left{&first[0], &first[1]};
  const std::vector<const RunFigures*> right{&second[0], &second[1]};
  const std::size_t makespan = test::metric_position("makespan");
  const PairedSamples pairs = pair_up(left, right, {makespan, makespan});
  CHECK(pairs.paired);
  CHECK(pairs.first == std::vector<double>{10, 20});
  CHECK(pairs.second == std::vector<double>{1, 2});
}

TEST_CASE("without common seeds the samples are unpaired, and that is said") {
  auto others = runs_of("b", slow);
  for (RunFigures& run : others) run.identity.seed += 100;
  const Comparison comparison = compare(together(runs_of("a", fast), others), {}).front();
  CHECK_FALSE(row(comparison, "makespan").versus[1].paired);
  CHECK(row(comparison, "makespan").versus[1].verdict == Verdict::not_distinguishable);
  CHECK(warned(comparison, "no seeds in common"));
}

TEST_CASE("if seeds are partly common only the pairs count, and that is reported") {
  auto fewer = runs_of("b", slow);
  fewer.pop_back();
  const Comparison comparison = compare(together(runs_of("a", fast), fewer), {}).front();
  CHECK(row(comparison, "makespan").versus[1].paired);
  CHECK(row(comparison, "makespan").versus[1].difference.value == doctest::Approx(2));
  CHECK(warned(comparison, "only the runs whose seeds both sides have"));
}

TEST_CASE("a single run is not enough") {
  const Comparison comparison = compare(together(runs_of("a", {1}), runs_of("b", {2})), {}).front();
  CHECK(row(comparison, "makespan").versus[1].verdict == Verdict::too_few);
  CHECK(comparison.inconclusive());
  CHECK(warned(comparison, "a single run says nothing about chance"));
}

TEST_CASE("invalid, suspect, unfinished and broken runs are told with their side") {
  auto runs = together(runs_of("a", fast), runs_of("b", slow));
  runs[4].validity = {.level = Validity::Level::invalid,
                      .reason = "too late",
                      .remedy = "be faster",
                      .worst_lag = Duration(9),
                      .tolerance = Duration(1)};
  runs[5].validity.level = Validity::Level::suspect;
  runs[6].unfinished = 3;
  runs[7].violations = 2;
  const Comparison comparison = compare(runs, {}).front();
  const Side& side = comparison.sides[1];
  CHECK(side.invalid == 1);
  CHECK(side.suspect == 1);
  CHECK(side.unfinished == 1);
  CHECK(side.violated == 1);
  CHECK(comparison.inconclusive());
  CHECK(comparison.violated());
  CHECK(warned(comparison, "b: 1 of 4 runs invalid"));
  CHECK(warned(comparison, "b: too late; be faster"));
  CHECK(warned(comparison, "b: 1 of 4 runs did not complete every task"));
  CHECK(warned(comparison, "b: 1 of 4 runs broke an invariant"));
}

TEST_CASE("cells, labels and stored runs can each be the sides") {
  std::vector<RunFigures> runs;
  for (const std::string cell : {"100", "600"})
    for (const std::string label : {"a", "b"})
      for (RunFigures run : runs_of(label, fast)) {
        run.identity.cell = {{"peers.count", cell}};
        run.origin = "before";
        runs.push_back(run);
      }
  const auto by_label = compare(runs, {.sides = Sides::labels});
  REQUIRE(by_label.size() == 2);
  CHECK(by_label[1].title == "race peers.count=600");
  CHECK(by_label[1].sides[1].name == "b");

  const auto by_cell = compare(runs, {.sides = Sides::cells});
  REQUIRE(by_cell.size() == 2);
  CHECK(by_cell[1].title == "race b");
  CHECK(by_cell[1].sides[1].name == "peers.count=600");

  const auto by_run = compare(runs, {.sides = Sides::runs});
  REQUIRE(by_run.size() == 2);
  CHECK(by_run[0].sides[1].name == "before b");

  for (std::size_t i = runs.size(); i-- > 0;) {
    runs.push_back(runs[i]);
    runs.back().origin = "after";
  }
  const auto again = compare(runs, {.sides = Sides::runs});
  REQUIRE(again.size() == 4);
  CHECK(again[0].title == "race peers.count=100 a");
  CHECK(again[0].sides[0].name == "before");
  CHECK(again[0].sides[1].name == "after");
}

}  // namespace rhizome::scenarios::compare_test
