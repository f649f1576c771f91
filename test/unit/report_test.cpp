#include <doctest/doctest.h>

#include <set>

#include "tools/carried.hpp"
#include "tools/chart/bundles.hpp"
#include "tools/report/charts.hpp"
#include "tools/report/page.hpp"

namespace rhizome::report_test {

using namespace scenarios;
using namespace tools;

namespace {

// Two repetitions of which the second has twice the tasks.
Contestant contestant(const std::string& name) {
  Contestant made;
  made.name = name;
  made.completions = {{1, 2}, {1, 2, 3, 4}};
  made.tasks = {2, 4};
  made.executions = 1;
  made.schedule.spec = Json::object();
  for (auto& repetitions : made.burdens) repetitions = {{8, 4, 0}, {10, 2, 0}};
  return made;
}

Material material() {
  Material made;
  made.name = "a <b> & \"c\"";
  made.scenario = "<script>alert(1)";
  made.contestants = {contestant("x, y"), contestant("x; y")};
  return made;
}

}  // namespace

TEST_CASE("a user's text is text in a page") {
  const std::vector<Material> materials{material()};
  const std::string page = report_page(materials, {"", ""});
  CHECK(page.find("<script>alert") == std::string::npos);
  CHECK(page.find("a &lt;b&gt;") != std::string::npos);
}

TEST_CASE("every build can draw the charts of a page, and keeps the licences of what draws them") {
  CHECK(page_script().find("rhizomeEmbed") != std::string_view::npos);
  CHECK(svg_script().size() > 100'000);
  CHECK(chart_licences().find("vega-lite") != std::string_view::npos);
}

// Where scripts do not run, headings would stand over nothing.
TEST_CASE("a page without scripts says so, and hides the headings of its charts") {
  const std::vector<Material> materials{material()};
  const std::string page = report_page(materials, {"", ""});
  CHECK(page.find("<noscript><style>.drawn { display: none; }</style></noscript>") !=
        std::string::npos);
  CHECK(page.find("scripts are turned off") != std::string::npos);
  CHECK(page.find("<div class=\"drawn\"><h2>Tasks completed</h2>") != std::string::npos);
}

TEST_CASE("no two charts of a report have one name") {
  const std::vector<Material> materials{material(), material()};
  std::set<std::string> ids;
  const std::vector<Chart> charts = report_charts(materials);
  for (const Chart& chart : charts) ids.insert(chart.id);
  CHECK(charts.size() == 14);
  CHECK(ids.size() == charts.size());
}

// Printed from a dark screen, a page would be light grey on white.
TEST_CASE("only a screen is dark, and charts take the colours around them") {
  const std::string_view style = carried_file("report/page.css");
  CHECK(style.find("@media screen and (prefers-color-scheme: dark)") != std::string_view::npos);
  CHECK(style.find("@media (prefers-color-scheme") == std::string_view::npos);
  CHECK(style.find("color-scheme: light dark") == std::string_view::npos);
  const std::string_view drawing = carried_file("report/page.js");
  CHECK(drawing.find("currentColor") != std::string_view::npos);
  CHECK(drawing.find("getComputedStyle") == std::string_view::npos);
}

TEST_CASE("the completion curve ends at one, however many tasks a repetition has") {
  const Chart chart = completion_chart({contestant("x")});
  const Json& values = chart.spec.at("data").at("values");
  CHECK(values.items().front().at("mean") == 0);
  CHECK(values.items().back().at("mean") == 1);
}

TEST_CASE("burdens are drawn by rank, and none at one") {
  const Chart chart = burden_chart({contestant("x")}, core::MessageClass::job);
  const Json& values = chart.spec.at("data").at("values");
  REQUIRE(values.size() == 3);
  CHECK(values.at(0).at("mean") == 9);
  CHECK(values.at(2).at("mean") == 1);
}

TEST_CASE("bars keep the order in which they were given") {
  const Json spec = bar_chart({{"b", "s", {2}}, {"a", "s", {1, Interval{0.5, 1.5}}}}, {}, {"y"});
  CHECK(spec.at("layer").at(0).at("encoding").at("x").at("sort") == Json({"b", "a"}));
  CHECK(spec.at("data").at("values").at(1).at("high") == 1.5);
}

}  // namespace rhizome::report_test
