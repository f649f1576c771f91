#include "tools/compare/render.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "scenarios/text/json.hpp"
#include "test/support/figures.hpp"
#include "tools/compare/layout.hpp"
#include "tools/compare/wording.hpp"
#include "tools/markup/markdown.hpp"

namespace rhizome::scenarios::render_test {

using namespace tools;

using test::runs_of;
using test::together;

namespace {

Comparison race(std::size_t sides) {
  std::vector<RunFigures> runs;
  for (std::size_t i = 0; i < sides; ++i) {
    const double more = static_cast<double>(i);
    runs = together(runs,
                    runs_of("scheduler-" + std::to_string(i), {10 + more, 11 + more, 12.3 + more}));
  }
  return compare(runs, {}).front();
}

// Every metric differs from side to side, and from run to run by as much as it is.
Comparison spread(std::size_t sides, double size) {
  std::vector<RunFigures> runs;
  for (std::size_t side = 0; side < sides; ++side)
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      runs.push_back(test::run_of("scheduler-" + std::to_string(side), seed, 0));
      for (std::size_t m = 0; m < metrics().size(); ++m)
        runs.back().values[m] = size * static_cast<double>((m + 3 * seed) % 7 + side * m % 5);
    }
  return compare(runs, {}).front();
}

std::size_t widest(const std::string& text) {
  std::size_t most = 0;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) most = std::max(most, columns_of(line));
  return most;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("no escape reaches a terminal but those of the colours") {
  const Painter paint(true);
  const std::string red = paint(Ink::red, "fails");
  CHECK(plain_but_for_inks("a " + red + "\tb\n") == "a " + red + "\tb\n");
  CHECK(plain_but_for_inks("\033]0;x\a" + red + "\033[2J\u009bz") ==
        "\\x1b]0;x\\x07" + red + "\\x1b[2J\\u009bz");
}

TEST_CASE("figures have four digits, and large ones a suffix") {
  CHECK(mean_text({12.3456, Interval{12.1, 12.6}}) == "12.35 ±0.25");
  CHECK(mean_text({0, {}}) == "0");
  CHECK(mean_text({3600, Interval{3600, 3600}}) == "3600 ±0");
  CHECK(mean_text({1234567, Interval{1230000, 1239134}}) == "1.235M ±0.005M");
  CHECK(mean_text({0.98765, {}}) == "0.9877");
}

TEST_CASE("a ratio is shown with its interval, and a difference where there is no ratio") {
  Versus versus;
  versus.ratio = {1.1421, Interval{1.1009, 1.1832}};
  CHECK(versus_text(versus) == "1.142 [1.101, 1.183]");
  versus.difference = {1, Interval{-1, 3}};
  versus.ratio = {5.0634, Interval{2.5501, 10.532}};
  CHECK(versus_text(versus) == "5.063 [2.550, 10.53]");
  versus.ratio = {1.0 / 0.0, {}};
  versus.difference = {5, Interval{3, 7}};
  CHECK(versus_text(versus) == "+5.00 [3.00, 7.00]");
  versus.ratio = {0.0 / 0.0, {}};
  versus.difference = {0, Interval{0, 0}};
  CHECK(versus_text(versus) == "equal");
}

TEST_CASE(
    "a ratio to a value that may be 0 is replaced by the difference, and so is a negative one") {
  Versus versus{.difference = {2.05, Interval{0.1, 4}},
                .ratio = {3.062, {}},
                .verdict = Verdict::more,
                .paired = true};
  CHECK(versus_text(versus) == "+2.05 [0.10, 4.00]");
  versus.ratio = {5.973, Interval{-5.449, 23.5}};
  CHECK(versus_text(versus) == "+2.05 [0.10, 4.00]");
  versus.ratio = {-0.5, Interval{-0.7, -0.3}};
  CHECK_FALSE(ratio_known(versus));
  versus.ratio = {1.4, {}};  // of a single run
  versus.difference.interval.reset();
  CHECK(versus_text(versus) == "1.400");
}

TEST_CASE("values that are equal run by run are called so and nothing else") {
  const Comparison comparison =
      compare(together(runs_of("a", {5, 6, 7}), runs_of("b", {5, 6, 7})), {}).front();
  const ComparisonRow& makespan = comparison.rows[test::metric_position("makespan")];
  CHECK(versus_text(makespan.versus[1]) == "equal");
  CHECK(verdict_text(*makespan.metric, makespan.versus[1]).empty());
  const Comparison crossed =
      compare(together(runs_of("a", {5, 6, 7}), runs_of("b", {6, 5, 7})), {}).front();
  CHECK(versus_text(crossed.rows[test::metric_position("makespan")].versus[1]) != "equal");
}

TEST_CASE("better and worse follow the direction of the metric") {
  Versus less;
  less.verdict = Verdict::less;
  CHECK(verdict_text(*find_metric("makespan"), less) == "better");
  CHECK(verdict_text(*find_metric("throughput"), less) == "worse");
  CHECK(verdict_text(*find_metric("events"), less) == "less");
  less.verdict = Verdict::not_distinguishable;
  CHECK(verdict_text(*find_metric("makespan"), less) == "not distinguishable");
}

TEST_CASE("the table of two sides tells which is better, by how much and how surely") {
  const std::string text = text_of(race(2), {});
  CHECK(has(text, "race (virtual, 3 runs each)"));
  CHECK(has(text, "ratio to scheduler-0"));
  CHECK(
      has(text, "makespan, s          11.10 ±2.86    12.10 ±2.86    1.090 [1.072, 1.121] worse\n"));
  CHECK(has(text, "paired by seed"));
  CHECK_FALSE(has(text, "\033["));
}

TEST_CASE("no line of a table is wider than 80 columns, and every figure stands there whole") {
  for (const std::size_t sides : {1U, 2U, 3U, 6U, 9U})
    for (const bool all : {false, true})
      for (const double size : {1.0, -1.0, 1e-9, 1e-3, 123456.789, 9.8765e12, 3e21}) {
        CAPTURE(sides);
        CAPTURE(size);
        const Comparison comparison = spread(sides, size);
        const std::string text = text_of(comparison, {.colour = false, .all = all});
        CHECK(widest(text) <= 80);
        CHECK_FALSE(has(text, "…"));
        for (const ComparisonRow& in_seconds : comparison.rows) {
          if (!all && !comparison.headline(in_seconds)) continue;
          const ComparisonRow row = in_fitting_unit(in_seconds);
          for (const Estimate& mean : row.means) CHECK(has(text, mean_text(mean)));
          for (std::size_t i = 1; i < sides; ++i) CHECK(has(text, versus_text(row.versus[i])));
        }
      }
}

TEST_CASE("a narrower terminal is not written past, and a wider one is used") {
  CHECK(widest(text_of(race(2), {.columns = 60})) <= 60);
  CHECK(widest(text_of(race(9), {.columns = 200})) > 80);
  CHECK(widest(text_of(race(9), {.columns = 200})) <= 200);
}

TEST_CASE("every side of a large comparison is in the table") {
  const std::string text = text_of(race(9), {});
  for (int i = 0; i < 9; ++i) CHECK(has(text, "scheduler-" + std::to_string(i)));
}

TEST_CASE("names too long for a column are numbered and explained") {
  const std::string name = "a-scheduler-with-a-rather-long-name";
  const std::string text =
      text_of(compare(together(runs_of(name, {1, 2}), runs_of("b", {3, 4})), {}).front(), {});
  CHECK(has(text, "#1 = " + name + "\n#2 = b\n"));
  CHECK(has(text, "ratio to #1\n"));
}

TEST_CASE("colour is used only if asked for") {
  const std::string text = text_of(race(2), {.colour = true});
  CHECK(has(text, "\033[31mworse\033[0m"));
}

TEST_CASE("a side with unsound runs is marked and explained") {
  auto runs = together(runs_of("a", {1, 2, 3}), runs_of("b", {2, 3, 4}));
  runs[4].validity.level = Validity::Level::invalid;
  const Comparison comparison = compare(runs, {}).front();
  CHECK(has(text_of(comparison, {}), "b !"));
  CHECK(has(text_of(comparison, {}), "! b: 1 of 3 runs invalid"));
  CHECK(has(markdown_of(comparison, false), "**Warning:** b: 1 of 3 runs invalid"));
}

TEST_CASE("Markdown is a table with as many cells in every row") {
  std::istringstream in(markdown_of(race(3), true));
  int rows = 0;
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with('|')) continue;
    ++rows;
    CHECK(std::count(line.begin(), line.end(), '|') == 7);
  }
  CHECK(rows == static_cast<int>(metrics().size()) + 2);
}

TEST_CASE("names and reasons of strangers are no tags in Markdown") {
  const std::string tag = "<img src=x>";
  std::vector<RunFigures> runs = runs_of(tag + "1", {10, 11, 12.3});
  runs = together(runs, runs_of(tag + "2", {11, 12, 13.3}));
  for (RunFigures& run : runs) {
    run.identity.scenario = run.identity.engine = run.validity.reason = tag;
    run.failure = "<script>";
  }
  runs.front().failure.clear();
  const Comparison comparison = compare(runs, {}).front();
  const std::string text =
      markdown_of(comparison, true) + markdown_paragraph(tag) + markdown_warning(tag);
  for (std::size_t at = text.find('<'); at != text.npos; at = text.find('<', at + 1))
    CHECK(text[at - 1] == '\\');
}

TEST_CASE("every row of Markdown tells by itself what it shows, in words") {
  const std::string text = markdown_of(race(3), true);
  CHECK(has(text, "| job messages, busiest peer |"));
  CHECK(has(text, "| result bytes, third busiest |"));
  std::set<std::string> titles;
  for (const Metric& metric : metrics()) {
    CHECK(titles.insert(lone_heading(metric)).second);
    CHECK_FALSE(has(lone_heading(metric), "_"));
  }
}

TEST_CASE("JSON carries the schema, every metric, and null where there is no number") {
  const std::vector<ClaimResult> claims{{.claim = "a.makespan < 3",
                                         .cell = "",
                                         .standing = Standing::fails,
                                         .difference = {7, Interval{6, 8}},
                                         .paired = false,
                                         .reason = "so it is"}};
  const std::vector<Comparison> comparisons{race(2)};
  const auto json = parse_json(json_of(comparisons, claims));
  REQUIRE(json.has_value());
  CHECK(json->at("schema") == "rhizome.comparison/2");
  const Json& comparison = json->at("comparisons").at(0);
  CHECK(comparison.at("metrics").size() == metrics().size());
  const Json& makespan = comparison.at("metrics").at(0);
  CHECK(makespan.at("metric") == "makespan");
  CHECK(makespan.at("versus").at(0).at("verdict") == "more");
  CHECK(makespan.at("versus").at(0).at("difference").at("value").get<double>() ==
        doctest::Approx(1));
  const Json& idle = comparison.at("metrics").at(test::metric_position("duplicates"));
  CHECK(idle.at("versus").at(0).at("ratio").at("value").is_null());
  CHECK(json->at("claims").at(0).at("standing") == "fails");
  CHECK(json->at("claims").at(0).at("difference").at("interval").at(1) == 8.0);
}

TEST_CASE("claims are told with their verdict and figures") {
  const std::vector<ClaimResult> claims{{.claim = "a.makespan < b.makespan",
                                         .cell = "k=1",
                                         .standing = Standing::not_distinguishable,
                                         .difference = {},
                                         .paired = true,
                                         .reason = "the difference is 1, between -1 and 3"}};
  const std::string text = text_of(claims, {});
  CHECK(text ==
        "not distinguishable a.makespan < b.makespan (k=1)\n"
        "                    the difference is 1, between -1 and 3\n");
  CHECK(has(markdown_of(claims), "| a.makespan \\< b.makespan | k=1 | not distinguishable |"));
  const std::vector<ClaimResult> from_elsewhere{{.claim = "`\\|<b>", .cell = "", .reason = ""}};
  CHECK(has(markdown_of(from_elsewhere), "| \\`\\\\\\|\\<b\\> |"));
}

TEST_CASE("a long claim is wrapped beside its verdict") {
  const std::vector<ClaimResult> claims{
      {.claim = "a-scheduler.information_messages < another-scheduler.information_messages",
       .cell = "peers.count=100 workload.jobs=800 workload.portion_time=100ms",
       .standing = Standing::holds,
       .difference = {},
       .paired = true,
       .reason = "so it is"}};
  CHECK(widest(text_of(claims, {})) <= 80);
}

TEST_CASE("a cell too wide for its column pushes the next, and takes a line where it cannot") {
  const Columns columns({{4}, {4}, {4, true}}, 16);
  CHECK(columns.row({"a", "b", "c"}) == "a    b       c\n");
  CHECK(columns.row({"a", "bcdefg", "h"}) == "a    bcdefg  h\n");
  CHECK(columns.row({"a", "", "c"}) == "a            c\n");
  CHECK(columns.row({"a", "bcdefghi", "jk"}) == "a    bcdefghi jk\n");
  CHECK(columns.row({"abcdefgh", "ijklm", "nop"}) == "abcdefgh\n     ijklm nop\n");
  CHECK(columns.row({"a", "bcdefghijkl", "mno"}) == "a\n    bcdefghijkl\n    mno\n");
}

TEST_CASE("text is fitted by its visible width, not by its bytes") {
  CHECK(fitted("±1", 4) == "±1  ");
  CHECK(fitted("abcdef", 4) == "abc…");
  CHECK(columns_of(fitted("ééééééé", 4)) == 4);
  CHECK(wrapped("one two three", 7, 2) == "one two\n  three\n");
  CHECK(wrapped("one 84 %; two", 6, 0) == "one\n84 %;\ntwo\n");
}

}  // namespace rhizome::scenarios::render_test
