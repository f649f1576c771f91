#include "tools/sweep/sweep.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "scenarios/experiment/experiment.hpp"
#include "scenarios/format/parser.hpp"
#include "test/support/figures.hpp"
#include "tools/compare/compare.hpp"
#include "tools/compare/figures.hpp"
#include "tools/compare/judgement.hpp"
#include "tools/sweep/words.hpp"

namespace rhizome::scenarios::sweep_test {

using namespace tools;

using test::runs_of;
using test::together;

namespace {

const std::string option = "scheduler.grid.max_children";

std::vector<RunFigures> in_cell(std::vector<RunFigures> runs,
                                std::vector<std::pair<std::string, std::string>> cell) {
  for (RunFigures& run : runs) run.identity.cell = cell;
  return runs;
}

// Seeds differ far more than settings do: 3 is worse than 5, and 8 cannot be told from it.
std::vector<RunFigures> children() {
  auto runs = in_cell(runs_of("grid", {110, 211, 310.5}), {{option, "3"}});
  runs = together(runs, runs_of("queue", {120, 220, 320}));
  runs = together(runs, in_cell(runs_of("grid", {100, 200, 300}), {{option, "5"}}));
  return together(runs, in_cell(runs_of("grid", {99, 203, 299.5}), {{option, "8"}}));
}

Sweep sweep_by(const std::vector<RunFigures>& runs, const std::string& metric = "makespan") {
  const auto sweep = sweep_of(runs, *find_metric(metric), 0.95);
  REQUIRE(sweep.has_value());
  return *sweep;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

const std::string two_schedulers =
    "[peers]\ncount = 4\n[workload]\njobs = 2\n[engine]\nkind = \"virtual\"\n[run]\n"
    "repetitions = 2\n[[scheduler]]\nuse = \"organic-grid\"\n[[scheduler]]\nuse = "
    "\"round-robin\"\n";

std::vector<Cell> cells_with(const std::vector<std::string>& assignments) {
  return parse_scenario(two_schedulers, "s.toml", {.environment = {}, .command_line = assignments});
}

}  // namespace

TEST_CASE("nothing swept is no sweep") {
  CHECK_FALSE(sweep_of(runs_of("grid", {1, 2}), *find_metric("makespan"), 0.95).has_value());
  CHECK_FALSE(sweep_of({}, *find_metric("makespan"), 0.95).has_value());
}

TEST_CASE("a sweep tells which setting is best and which are not distinguishable from it") {
  const Sweep sweep = sweep_by(children());
  REQUIRE(sweep.sides.size() == 2);
  const SweepSide& grid = sweep.sides[0];
  REQUIRE(grid.points.size() == 3);
  CHECK(grid.points[1].values == std::vector<std::string>{"5"});
  REQUIRE(grid.choices.size() == 1);
  CHECK(grid.choices[0].best == 1);
  CHECK(grid.choices[0].alike == std::vector<std::size_t>{2});
  CHECK(sweep.sides[1].choices.empty());
  const auto sentences = sentences_on(sweep);
  REQUIRE(sentences.size() == 2);
  CHECK(has(sentences[0], "grid: best is max_children=5 (200.0 ±248.4)"));
  CHECK(has(sentences[0], "not distinguishable from it: max_children=8."));
  CHECK(sentences[1] ==
        "queue: it depends on no swept key, so it ran once for all cells (220.0 ±248.4).");
}

TEST_CASE("a sweep of long times is told in hours") {
  auto runs = children();
  const std::size_t makespan = test::metric_position("makespan");
  for (RunFigures& run : runs) run.values[makespan] *= 360;
  const Sweep sweep = sweep_by(runs);
  CHECK(has(title_of(sweep), "makespan, h"));
  CHECK(has(sentences_on(sweep)[0], "best is max_children=5 (20.00 ±24.84)"));
}

TEST_CASE("more can be better") {
  auto runs = children();
  const std::size_t throughput = test::metric_position("throughput");
  const std::size_t makespan = test::metric_position("makespan");
  for (RunFigures& run : runs) run.values[throughput] = run.values[makespan];
  CHECK(sweep_by(runs, "throughput").sides[0].choices[0].best == 0);
}

TEST_CASE("a metric without a good direction is shown, and calls no setting the best") {
  auto runs = children();
  const std::size_t clustering = test::metric_position("clustering");
  const std::size_t makespan = test::metric_position("makespan");
  for (RunFigures& run : runs) run.values[clustering] = run.values[makespan];
  const Sweep sweep = sweep_by(runs, "clustering");
  CHECK(sweep.sides[0].choices.empty());
  CHECK(has(text_of(sweep, {}), "because this metric has no good direction"));
  CHECK_FALSE(has(text_of(sweep, {}), "*"));
  CHECK(json_of(sweep).at("better") == "neither");
}

TEST_CASE("a setting with an unsound run is never the best, and that is said") {
  auto runs = children();
  runs[7].unfinished = 1;  // of 5
  const Sweep sweep = sweep_by(runs);
  CHECK(sweep.sides[0].choices[0].best == 2);
  CHECK(has(sentences_on(sweep)[0], "1 with unsound runs (!) is left out"));
  CHECK(has(text_of(sweep, {}), " !"));
}

TEST_CASE("settings that last differently are left out, and are not called worse") {
  auto runs = children();
  for (RunFigures& run : runs)
    if (run.identity.cell == std::vector<std::pair<std::string, std::string>>{{option, "3"}})
      run.open_for = std::chrono::seconds(10);
  const std::string sentence = sentences_on(sweep_by(runs))[0];
  CHECK(has(sentence, "best is max_children=3"));
  CHECK(has(sentence, "no other setting can be compared with it"));
  CHECK(has(sentence, "2 are left out, since the metric does not apply or they last differently"));
}

TEST_CASE("with a single run no setting is called worse") {
  auto runs = in_cell(runs_of("grid", {2}), {{option, "3"}});
  runs = together(runs, in_cell(runs_of("grid", {1}), {{option, "5"}}));
  const Sweep sweep = sweep_by(runs);
  CHECK(sweep.sides[0].choices[0].alike == std::vector<std::size_t>{0});
  CHECK(has(sentences_on(sweep)[0], "a single run has no interval"));
}

TEST_CASE("settings that are equal to the last digit are told so, and none is called the best") {
  for (const std::string& key : {option, std::string("workload.jobs")}) {
    auto runs = in_cell(runs_of("grid", {1, 2, 3.5}), {{key, "3"}});
    runs = together(runs, in_cell(runs_of("grid", {1, 2, 3.5}), {{key, "5"}}));
    const auto equal = sentences_on(sweep_by(runs));
    REQUIRE(equal.size() == 1);
    CHECK(equal[0].starts_with("grid: every setting gives exactly 2.167 ±"));
    runs = together(runs, in_cell(runs_of("grid", {1, 2, 3.6}), {{key, "8"}}));
    CHECK_FALSE(has(sentences_on(sweep_by(runs))[0], "exactly"));
  }
}

TEST_CASE("options are chosen under each condition of the world by itself") {
  std::vector<RunFigures> runs;
  for (const std::string jobs : {"200", "800"})
    for (const std::string most : {"3", "5"}) {
      const double worse = (jobs == "200") == (most == "3") ? 0 : 10;
      runs = together(runs, in_cell(runs_of("grid", {worse + 1, worse + 2, worse + 3.5}),
                                    {{"workload.jobs", jobs}, {option, most}}));
    }
  const Sweep sweep = sweep_by(runs);
  REQUIRE(sweep.sides[0].choices.size() == 2);
  CHECK(has(sentences_on(sweep)[0], "grid, with workload.jobs=200: best is max_children=3"));
  CHECK(has(sentences_on(sweep)[1], "grid, with workload.jobs=800: best is max_children=5"));
  const auto tables = tables_of(sweep);
  REQUIRE(tables.size() == 1);
  CHECK(tables[0].title == "grid, grid.max_children from left to right");
  CHECK(tables[0].rows[0] == std::vector<std::string>{"workload.jobs", "3", "5"});
  CHECK(tables[0].rows[2][0] == "800");
  CHECK(tables[0].rows[2][1].starts_with("12.17 ±"));
}

TEST_CASE("for keys of work and faults, which users do not choose, no setting is called the best") {
  std::vector<RunFigures> runs;
  for (const std::string file : {"small", "large"})
    for (const std::string delay : {"1ms", "9ms"}) {
      const double mean = (file == "large" ? 100 : 10) + (delay == "9ms" ? 5 : 0);
      runs = together(runs, in_cell(runs_of("grid", {mean - 1, mean, mean + 1.5}),
                                    {{"workload.file", file}, {"network.delay", delay}}));
    }
  const auto both = sentences_on(sweep_by(runs));
  REQUIRE(both.size() == 2);
  CHECK(has(both[0], "grid, with workload.file=small: best is network.delay=1ms (10.17 ±"));
  CHECK(has(both[1], "grid, with workload.file=large: best is network.delay=1ms (100.2 ±"));
  for (RunFigures& run : runs) run.identity.cell.pop_back();
  const Sweep files = sweep_by(runs);
  CHECK(files.sides[0].choices.empty());
  const auto one = sentences_on(files);
  REQUIRE(one.size() == 1);
  CHECK(one[0].starts_with("grid: least 12.67 ±"));
  CHECK(has(one[0], " at workload.file=small, most 102.7 ±"));
  CHECK(one[0].ends_with(" at workload.file=large."));
  CHECK_FALSE(has(text_of(files, {}), "*"));
  for (const std::string key : {"network.loss", "network.jitter", "faults.crash_share"}) {
    for (RunFigures& run : runs) run.identity.cell.front().first = key;
    CHECK(sweep_by(runs).sides[0].choices.empty());
  }
}

TEST_CASE("the table of a sweep has a row for each value, and one for a scheduler that ran once") {
  const auto tables = tables_of(sweep_by(children()));
  REQUIRE(tables.size() == 1);
  const auto& rows = tables[0].rows;
  REQUIRE(rows.size() == 5);
  CHECK(rows[0] == std::vector<std::string>{"grid.max_children", "grid", "queue"});
  CHECK(rows[2] == std::vector<std::string>{"5", "200.0 ±248.4 *", ""});
  CHECK(rows[3][1].ends_with(" ~"));
  CHECK(rows[4] == std::vector<std::string>{"any", "", "220.0 ±248.4"});
}

TEST_CASE("each of three keys has a column, and a scheduler that ran once has its own row") {
  std::vector<RunFigures> runs = runs_of("queue", {1, 2, 4});
  for (const std::string most : {"3", "5"})
    runs =
        together(runs, in_cell(runs_of("grid", {10, 12, 13}),
                               {{"workload.jobs", "2"}, {"network.delay", "1ms"}, {option, most}}));
  const Sweep sweep = sweep_by(runs);
  const auto tables = tables_of(sweep);
  REQUIRE(tables.size() == 1);
  CHECK(tables[0].keys == 3);
  const auto& rows = tables[0].rows;
  REQUIRE(rows.size() == 4);
  CHECK(rows[0] == std::vector<std::string>{"workload.jobs", "network.delay", "grid.max_children",
                                            "grid", "queue"});
  CHECK(std::vector(rows[2].begin(), rows[2].begin() + 3) ==
        std::vector<std::string>{"2", "1ms", "5"});
  CHECK(rows[3][0] == "any");
  CHECK(rows[3][4].starts_with("2.333 ±"));
  const std::string markdown = markdown_of(sweep);
  CHECK(has(markdown,
            "| workload.jobs | network.delay | grid.max_children | grid | queue |\n"
            "|---|---|---|---:|---:|\n"));
}

TEST_CASE("no line of a sweep is wider than 80 columns, however many values and schedulers") {
  std::vector<RunFigures> runs;
  for (int label = 0; label < 9; ++label)
    for (int value = 0; value < 40; ++value)
      for (const std::string other : {"1", "2"})
        runs = together(runs, in_cell(runs_of("scheduler-" + std::to_string(label), {1e-3, 2, 3e7}),
                                      {{"workload.jobs", other},
                                       {"peers.count", std::to_string(value * 1000)}}));
  std::size_t widest = 0;
  const std::string text = text_of(sweep_by(runs), {});
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    widest = std::max(widest, columns_of(text.substr(at, end - at)));
    at = end + 1;
  }
  CHECK(widest <= 80);
}

TEST_CASE("JSON has the points, the best and those not distinguishable from it") {
  const Json json = json_of(sweep_by(children()));
  CHECK(json.at("metric") == "makespan");
  const Json& grid = json.at("schedulers").at(0);
  CHECK(grid.at("points").at(1).at("values").at(option) == "5");
  CHECK(grid.at("choices").at(0).at("best").at(option) == "5");
  CHECK(grid.at("choices").at(0).at("not_distinguishable").size() == 1);
  CHECK(json.at("schedulers").at(1).at("choices").empty());
}

TEST_CASE("a scheduler that ran once stands in every cell, in its order") {
  const auto comparisons = compare(children(), {});
  REQUIRE(comparisons.size() == 3);
  CHECK(comparisons[2].title == "race grid.max_children=8");
  for (const Comparison& comparison : comparisons) {
    REQUIRE(comparison.sides.size() == 2);
    CHECK(comparison.sides[0].name == "grid");
    CHECK(comparison.sides[1].runs == 3);
  }
  const Claim claim = parse_claim("grid.makespan < queue.makespan").value();
  const auto results = judge_claims(std::vector<Claim>{claim}, children(), 0.95);
  REQUIRE(results.size() == 3);
  CHECK(results[1].standing == Standing::holds);
}

TEST_CASE("a cell that lacks the runs of the swept schedulers is left out, and other runs stay") {
  const auto whole = children();
  const std::vector<RunFigures> begun(whole.begin(), whole.begin() + 6);  // interrupted
  CHECK(compare(begun, {}).size() == 1);
  const auto apart = together(runs_of("grid", {1, 2}),
                              in_cell(runs_of("grid", {3, 4}), {{"k", "2"}}));  // of two sweeps
  CHECK(in_every_cell(apart).size() == 4);
  CHECK(in_every_cell(apart)[0].identity.cell.empty());
}

// A long text of one run would stand in each of a thousand cells.
TEST_CASE("runs that would fill memory in all cells for which they stand are refused") {
  std::vector<RunFigures> runs;
  for (int cell = 0; cell < 1000; ++cell)
    runs = together(runs, in_cell(runs_of("varied", {1}), {{"k", std::to_string(cell)}}));
  CHECK(in_every_cell(together(runs, runs_of("one", {1}))).size() == 2000);
  for (int label = 0; label < 100; ++label)
    runs = together(runs, runs_of(std::to_string(label), {1}));
  runs.back().failure = std::string(1U << 20U, 'x');
  CHECK_THROWS_WITH_AS(static_cast<void>(in_every_cell(runs)),
                       "the sweep: in the 1000 cells that its values span, its runs and their "
                       "figures take more than 128 MiB or 20000000 comparisons: that is too much",
                       UnreadableFile);
}

TEST_CASE("runs of so many kinds that finding them in all cells would take minutes are refused") {
  std::vector<RunFigures> runs;
  for (int i = 0; i < 1000; ++i) {
    const std::string number = std::to_string(i);
    std::vector<std::pair<std::string, std::string>> cell{{"only " + number, "x"}};
    for (int key = 0; key < 20; ++key) cell.emplace_back("key " + std::to_string(key), "x");
    runs = together(runs, in_cell(runs_of("a" + number, {1}), {{"k", number}}));
    runs = together(runs, in_cell(runs_of("b" + number, {1}), cell));
  }
  CHECK_THROWS_WITH_AS(static_cast<void>(in_every_cell(runs)), doctest::Contains("too much"),
                       UnreadableFile);
}

TEST_CASE("a scheduler runs once for all cells that differ in the options of another only") {
  const auto one = cells_with({"scheduler.organic-grid.max_children=3..5"});
  REQUIRE(one.size() == 3);
  CHECK(one[2].assignments.front().first == "scheduler.organic-grid.max_children");
  CHECK(count_runs(one) == 2 * (3 + 1));
  CHECK(count_runs(cells_with(
            {"scheduler.organic-grid.max_children=3..5", "workload.jobs=1..2"})) == 2 * (6 + 2));
  CHECK(count_runs(cells_with({"workload.jobs=1..2"})) == 2 * (2 + 2));
  std::vector<Outcome> outcomes;
  run_experiment(one, {.outcome = [&](Outcome&& outcome) { outcomes.push_back(outcome); }});
  REQUIRE(outcomes.size() == 8);
  CHECK(outcomes[1].identity.label == "round-robin");
  CHECK(outcomes[1].identity.cell.empty());
  CHECK(cell_text(outcomes[0].identity) == "organic-grid.max_children=3");
}

TEST_CASE("seeds are no setting to compare by") {
  CHECK_THROWS_WITH_AS(cells_with({"run.seed=1..3"}),
                       "--set run.seed=1..3: \"seed\" is no setting to compare by: runs of other "
                       "seeds are repetitions, so say repetitions = 3",
                       InputError);
}

TEST_CASE("a range on the command line sweeps, a quoted one is a text") {
  CHECK(cells_with({"workload.portion_time=50ms..150ms step 50ms"}).size() == 3);
  CHECK(cells_with({"workload.jobs=1..1000 log 4"})[2].scenario.workload.jobs == 100);
  CHECK_THROWS(cells_with({"workload.jobs=\"1..3\""}));
  CHECK_THROWS(cells_with({"workload.jobs=3..1"}));
}

}  // namespace rhizome::scenarios::sweep_test
