#include <doctest/doctest.h>

#include <set>
#include <string>
#include <vector>

#include "scenarios/outcome/metrics.hpp"
#include "scenarios/text/json.hpp"
#include "tools/carried.hpp"
#include "tools/chart/colours.hpp"
#include "tools/chart/svg.hpp"
#include "tools/markup/hash_source.hpp"
#include "tools/report/page.hpp"
#include "tools/report/parts.hpp"

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
  made.schedule.spec = gantt_chart({.bars = {}, .marks = {}, .rows = 1});
  for (auto& repetitions : made.burdens) repetitions = {{8, 4, 0}, {10, 2, 0}};
  made.bill.items = {{.sent = {.messages = 8}}};
  return made;
}

Material material() {
  Material made;
  made.name = "a <b> & \"c\"";
  made.scenario = made.again = "<script>alert(1)";
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

TEST_CASE("a page lets no script run but its own two, and nothing be fetched") {
  const std::vector<Material> materials{material()};
  CHECK(report_page(materials, {"", ""}).find("default-src 'none'; script-src 'none'; ") !=
        std::string::npos);
  const std::string page = report_page(materials, {"draw(1 < 2)", ""});
  CHECK(page.find("script-src " + hash_source("draw(1 < 2)") + " ") != std::string::npos);
  const std::size_t policy = page.find("Content-Security-Policy");
  CHECK(policy < page.find("<style"));
  CHECK(policy < page.find("<script"));
}

TEST_CASE("a page tells how far processes were from each other, and how well clocks were known") {
  Material shared = material();
  CHECK(report_page(std::vector{shared}, {"", ""}).find("Round trips") == std::string::npos);
  shared.record.processes = {{.host = "h1"},
                             {.host = "<h2>",
                              .peers = 15,
                              .clock_bound = 0.0054,
                              .round_trip = 0.000075,
                              .crossed = {{{.messages = 3}, {.messages = 4}}},
                              .lost = "its connection broke"}};
  const std::string page = report_page(std::vector{shared}, {"", ""});
  const auto holds = [&page](const char* text) { return page.find(text) != std::string::npos; };
  CHECK(holds(">0 on h1</th>"));
  CHECK(holds("<td data-of=\"round trip\">-</td>"));
  CHECK(holds(">1 on &lt;h2&gt;</th>"));
  CHECK(holds("<td data-of=\"round trip\">75 us</td>"));
  CHECK(holds("<td data-of=\"clock within\">5.40 ms</td>"));
  CHECK(holds("<td data-of=\"sent to others\">7</td>"));
  CHECK(holds("<td data-of=\"lost\">its connection broke</td>"));
}

TEST_CASE("every build can draw the charts of a page, and keeps the licences of its libraries") {
  CHECK(page_script().find("rhizomeEmbed") != std::string_view::npos);
  CHECK(svg_script().size() > 100'000);
  CHECK(chart_licences().find("vega-lite") != std::string_view::npos);
}

TEST_CASE("a page without scripts says so, and hides the headings of its charts") {
  const std::vector<Material> materials{material()};
  const std::string page = report_page(materials, {"", ""});
  CHECK(page.find("<noscript><style>.drawn { display: none; }</style></noscript>") !=
        std::string::npos);
  CHECK(page.find("scripts are turned off") != std::string::npos);
  CHECK(page.find("<div class=\"drawn\"><h2 id=\"run1-part1\">Tasks completed</h2>") !=
        std::string::npos);
}

TEST_CASE("no two charts of a report have one name") {
  const std::vector<Material> materials{material(), material()};
  std::set<std::string> ids;
  const std::vector<Chart> charts = report_charts(materials);
  for (const Chart& chart : charts) ids.insert(chart.id);
  CHECK(charts.size() == 16);
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
  CHECK(drawing.find("themed(legible(spec))") != std::string_view::npos);
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

TEST_CASE("captions describe messages in the words of the metrics") {
  CHECK(burden_chart({contestant("x")}, core::MessageClass::job)
            .caption.starts_with("Messages that carry tasks, "));
  CHECK(burden_chart({contestant("x")}, core::MessageClass::information)
            .caption.starts_with("Messages that carry neither tasks nor results, "));
}

// An empty drawing looks like a fault of the page.
TEST_CASE("if no run had a structure the page has no part for it") {
  std::vector<Material> materials{material()};
  CHECK(report_page(materials, {"", ""}).find(">Structure</h2>") == std::string::npos);
  materials.front().contestants.front().tree_svg = "<svg/>";
  materials.front().contestants.back().structure = "The last overlay has 3 peers.";
  const std::string page = report_page(materials, {"", ""});
  CHECK(page.find(">Structure</h2>") != std::string::npos);
  CHECK(page.find("<figure class=\"tree\">") != std::string::npos);
  CHECK(page.find("<p>The last overlay has 3 peers.</p>") != std::string::npos);
}

TEST_CASE("bars keep the order in which they were given") {
  const Json spec = bar_chart({{"b", "s", {2}}, {"a", "s", {1, Interval{0.5, 1.5}}}}, {}, {"y"});
  CHECK(spec.at("layer").at(0).at("encoding").at("x").at("sort") == Json({"b", "a"}));
  CHECK(spec.at("data").at("values").at(1).at("high") == 1.5);
}

TEST_CASE("a scheduler has the same colour in every chart, and no two of one chart the same") {
  const auto colours = [](std::initializer_list<const char*> names) {
    Json list = Json::array();
    for (const char* name : names) list.push_back(name);
    return colours_of(list);
  };
  const Json alone = colours({"organic-grid"});
  CHECK(colours({"air-traffic", "organic-grid"}).items()[1] == alone.items()[0]);
  CHECK(colours({"batch"}).items()[0] == colours({"organic-grid", "batch"}).items()[1]);
  const Json last = colours({"shortest-of-2", "gossip", "late-2", "batch", "random", "omniscient"});
  CHECK(last.items()[5] == colours({"omniscient"}).items()[0]);
  const Json many =
      colours({"organic-grid", "air-traffic", "hybrid", "sparrow", "omniscient", "batch", "late",
               "random", "both", "gradient", "per-job", "proactive"});
  for (std::size_t i = 0; i < many.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) CHECK_FALSE(many.items()[i] == many.items()[j]);
}

TEST_CASE("a scheduler keeps its colour where charts of one page name others before it") {
  // By their letters both would have the same.
  const std::vector<std::string> names{"batch", "gossip", "late", "both", "random", "gradient"};
  const Colours colours({&names, 1});
  const auto drawn = [&](const std::vector<std::string>& series) {
    std::vector<Bar> bars;
    for (const std::string& name : series) bars.push_back({"g", name, {1}});
    Json spec = bar_chart(bars, {}, {"y"});
    recolour(spec, colours);
    return spec.at("layer").at(0).at("encoding").at("color").at("scale").at("range");
  };
  const Json all = drawn(names);
  for (std::size_t i = 0; i < names.size(); ++i) {
    CAPTURE(names[i]);
    CHECK(all.at(i) == drawn({names[i]}).at(0));
    CHECK(all.at(i) ==
          drawn({names.back(), names[i]}).items().at(names[i] == names.back() ? 0 : 1));
    for (std::size_t j = 0; j < i; ++j) CHECK_FALSE(all.at(i) == all.at(j));
  }
  CHECK(drawn({"a stranger", "batch"}).size() == 2);
  CHECK(colours_of(Json(std::vector<std::string>{"sparrow (invalid)"})) ==
        colours_of(Json(std::vector<std::string>{"sparrow"})));
}

TEST_CASE("pointing at an execution shows its name, unless they are too many to be drawn") {
  const auto drawn = [](std::size_t bars) {
    Gantt gantt{.bars = {}, .marks = {}, .rows = 4};
    for (std::size_t i = 0; i < bars; ++i)
      gantt.bars.push_back({.row = 3, .lane = 1, .lanes = 2, .from = 1, .until = 2, .name = "7.5"});
    return text_of(gantt_chart(gantt));
  };
  CHECK(drawn(1).find("\"task\": \"7.5\"") != std::string::npos);
  CHECK(drawn(1).find("\"top\": 3.5") != std::string::npos);
  CHECK(drawn(3000).find("7.5") == std::string::npos);
}

TEST_CASE("for a class without messages the page says so, and draws nothing") {
  const auto job = static_cast<std::size_t>(core::MessageClass::job);
  Material some = material();
  some.contestants[0].burdens[job] = {{0, 0, 0}, {0, 0, 0}};
  std::vector<Material> materials{some};
  CHECK(report_page(materials, {"", ""}).find("There were none of x, y.") != std::string::npos);
  const std::size_t drawn = report_charts(materials).size();
  materials[0].contestants[1].burdens[job] = {};
  CHECK(report_page(materials, {"", ""}).find(">There were none.</p>") != std::string::npos);
  CHECK(report_charts(materials).size() == drawn - 1);
  for (Contestant& each : materials[0].contestants) each.bill.items.clear();
  CHECK(report_charts(materials).size() == drawn - 2);
  CHECK(report_page(materials, {"", ""}).find("No message was sent.") != std::string::npos);
}

TEST_CASE("a run in which nothing was executed has no schedule, and not too many executions") {
  Material idle = material();
  idle.contestants[0].executions = 0;
  const std::string page = report_page(std::vector<Material>{idle}, {"", ""});
  CHECK(page.find("Nothing was executed.") != std::string::npos);
  CHECK(page.find("too many to draw") == std::string::npos);
}

TEST_CASE("schedules that stand together have one axis of time") {
  Material two = material();
  two.contestants[0].ended = 4.5;
  two.contestants[1].ended = 23.5;
  const std::string page = report_page(std::vector<Material>{two}, {"", ""});
  std::size_t spans = 0;
  for (std::size_t at = page.find("[0,23.5]"); at != std::string::npos;
       at = page.find("[0,23.5]", at + 1))
    ++spans;
  CHECK(spans == 2 * 3);  // three layers of each
  CHECK(page.find("[0,4.5]") == std::string::npos);
}

TEST_CASE("the names of many groups lie beside their bars, and are not tilted below them") {
  std::vector<Bar> bars;
  for (const char* group : {"a", "b", "c", "d"}) bars.push_back({group, "s", {2}});
  CHECK(text_of(bar_chart(bars, {}, {"y"})).find("xOffset") != std::string::npos);
  bars[3].group = "so long that four such names do not stand below them";
  CHECK(text_of(bar_chart(bars, {}, {"y"})).find("yOffset") != std::string::npos);
  bars[3].group = "d";
  bars.push_back({"e", "s", {2}});
  const std::string many = text_of(bar_chart(bars, {}, {"y"}));
  CHECK(many.find("yOffset") != std::string::npos);
  CHECK(many.find("\"labelAngle\": 0") != std::string::npos);
}

TEST_CASE(
    "values that cannot be negative are not drawn below 0, though the interval reaches there") {
  const std::vector<Bar> bars{{"a", "s", {1, Interval{-0.5, 2.5}}}};
  CHECK(text_of(bar_chart(bars, {}, {"y", false, true})).find("-0.5") == std::string::npos);
  CHECK(text_of(bar_chart(bars, {}, {"y"})).find("-0.5") != std::string::npos);
}

namespace {

// One run of a scheduler whose makespan and job messages are these times those of the first.
RunFigures figures(const std::string& label, std::uint32_t repetition, double times) {
  RunFigures run;
  run.identity.scenario = "world";
  run.identity.scheduler = run.identity.label = label;
  run.identity.seed = run.identity.repetition = repetition;
  run.ending = core::Ending::finished;
  for (const Metric& metric : metrics()) {
    const bool grows = metric.name == "makespan" || metric.name == "job_messages";
    run.values.push_back((10 + 0.1 * repetition) * (grows ? times : 1));
  }
  return run;
}

Material compared(double times) {
  Material made = material();
  for (const std::uint32_t repetition : {0, 1, 2})
    for (const bool second : {false, true})
      made.runs.push_back(figures(second ? "second" : "first", repetition, second ? times : 1));
  return made;
}

}  // namespace

TEST_CASE("a page tells the result in words, and for which scheduler") {
  const std::vector<Material> materials{compared(2)};
  const std::string page = report_page(materials, {"", ""});
  CHECK(page.find("<h1>world: first against second</h1>") != std::string::npos);
  CHECK(
      page.find("Against first, second took 2.00 times as long (worse) and sent 2.00 times the job "
                "messages (worse)") != std::string::npos);
  CHECK(page.find("A figure with a sign is a difference") == std::string::npos);
  const std::vector<Material> equal{compared(1)};
  CHECK(report_page(equal, {"", ""}).find("1.00 times as long (equal)") != std::string::npos);
}

TEST_CASE("a page begins with the subject of its scenario, the best scheduler, and a chart") {
  std::vector<Material> materials{compared(2)};
  materials.front().description = "Two schedulers on one world";
  const std::string page = report_page(materials, {"", ""});
  const std::size_t about = page.find(">Two schedulers on one world</p>");
  const std::size_t best = page.find(">No winner by mean response: first and second are equal.<");
  const std::size_t chart = page.find(">Tasks completed</h2>");
  const std::size_t table = page.find(">Comparison</h2>");
  REQUIRE(table != std::string::npos);
  CHECK(about < best);
  CHECK(best < chart);
  CHECK(chart < table);
  CHECK(table < page.find(">Origin</h2>"));
}

TEST_CASE("a page of overlays without work begins with their graphs, and has no charts of tasks") {
  std::vector<Material> materials{compared(2)};
  for (RunFigures& run : materials.front().runs) {
    for (double& value : run.values) value = 0;
    for (const char* name : {"in_degree_deviation", "mean_path"})
      run.values[static_cast<std::size_t>(find_metric(name) - metrics().data())] = 3;
  }
  const std::string page = report_page(materials, {"", ""});
  CHECK(page.find("Against first, second has 1.00 times the in-degree deviation (equal)") !=
        std::string::npos);
  CHECK(page.find(">Tasks completed</h2>") == std::string::npos);
}

TEST_CASE("a difference that stands where a ratio would is told apart from it") {
  Material made = material();
  for (std::uint32_t repetition = 0; repetition < 3; ++repetition)
    for (const bool second : {false, true})
      made.runs.push_back(figures(second ? "second" : "first", repetition, second ? 1 : 0));
  const std::string page = report_page(std::vector<Material>{made}, {"", ""});
  CHECK(page.find("A figure with a sign is a difference") != std::string::npos);
}

TEST_CASE("the comparison names its metrics in words, and each figure's column with it") {
  const std::vector<Material> materials{compared(2)};
  const std::string page = report_page(materials, {"", ""});
  CHECK(page.find(">messages, busiest peer</th>") != std::string::npos);
  CHECK(page.find("job_messages_top1") == std::string::npos);
  CHECK(page.find("data-of=\"second / first\"") != std::string::npos);
}

// Figures and ratios of four in one table would lie beyond the right edge of a screen.
TEST_CASE("with many schedulers figures and ratios have a table each, and a sentence each") {
  const auto count = [](const std::string& page, std::string_view part) {
    std::size_t found = 0;
    for (auto at = page.find(part); at != std::string::npos; at = page.find(part, at + 1)) ++found;
    return found;
  };
  Material many = compared(2);
  const std::size_t tables = count(report_page(std::vector{many}, {"", ""}), "<table");
  for (std::uint32_t repetition = 0; repetition < 3; ++repetition)
    for (const char* name : {"third", "idle"})
      many.runs.push_back(figures(name, repetition, name == std::string("idle") ? 0 : 3));
  const std::string page = report_page(std::vector{many}, {"", ""});
  CHECK(count(page, "<table") == tables + 1);
  CHECK(count(page, "<caption>Ratios to first</caption>") == 1);
  CHECK(count(page, "<p class=\"result\">Against first, ") == 3);
  CHECK(count(page, "sent no job messages (better)") == 1);
}

TEST_CASE("every entry of the contents leads to a heading") {
  const std::vector<Material> materials{compared(2), compared(2)};
  const std::string page = report_page(materials, {"", ""});
  std::size_t entries = 0;
  constexpr std::string_view link = "<a href=\"#";
  for (std::size_t at = 0; (at = page.find(link, at)) != std::string::npos; ++entries) {
    at += link.size();
    const std::string id = page.substr(at, page.find('"', at) - at);
    const std::string heading = "<h2 id=\"" + id + "\">";
    const std::size_t found = page.find(heading);
    CHECK(found != std::string::npos);
    CHECK(page.find(heading, found + 1) == std::string::npos);
  }
  CHECK(entries == 32);
}

TEST_CASE("a version in the record of a run is text in a page, whatever it says") {
  Material made = material();
  made.record.versions = {{"</dt><img src=x onerror=alert(4)>", "<b>\x1b]]>"}};
  const std::vector<Material> materials{made};
  const std::string page = report_page(materials, {"", ""});
  CHECK(page.find("<img") == std::string::npos);
  CHECK(page.find("<dt>&lt;/dt&gt;&lt;img src=x") != std::string::npos);
  CHECK(page.find("<dd>&lt;b&gt;\\x1b]]&gt;</dd>") != std::string::npos);
}

}  // namespace rhizome::report_test
