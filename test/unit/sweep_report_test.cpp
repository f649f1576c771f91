// The page and the charts of a sweep, and its claims told once.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "test/support/figures.hpp"
#include "tools/compare/judgement.hpp"
#include "tools/compare/render.hpp"
#include "tools/report/page.hpp"
#include "tools/sweep/charts.hpp"

namespace rhizome::scenarios::sweep_report_test {

using namespace tools;

using test::runs_of;
using test::together;

namespace {

using Choices = std::vector<std::pair<std::string, std::string>>;

std::vector<RunFigures> in_cell(std::vector<RunFigures> runs, const Choices& cell) {
  for (RunFigures& run : runs) run.identity.cell = cell;
  return runs;
}

// A setting of the world for each value, in each of which two schedulers run.
std::vector<RunFigures> swept(const std::string& key, const std::vector<std::string>& values) {
  std::vector<RunFigures> runs;
  double least = 1;
  for (const std::string& value : values) {
    runs = together(runs, in_cell(runs_of("grid", {least, least + 1}), {{key, value}}));
    runs = together(runs, in_cell(runs_of("queue", {least + 3, least + 4}), {{key, value}}));
    least += 1;
  }
  return runs;
}

std::vector<std::string> numbers(int count) {
  std::vector<std::string> list;
  for (int i = 1; i <= count; ++i) list.push_back(std::to_string(i));
  return list;
}

Sweep sweep_in(const std::vector<RunFigures>& runs) {
  return *sweep_of(runs, *find_metric("makespan"), 0.95);
}

Material material_of(const std::vector<RunFigures>& runs) {
  Material made;
  made.name = "swept-1";
  made.runs = runs;
  made.sweeps = {sweep_in(runs)};
  made.claims =
      judge_claims(std::vector<Claim>{*parse_claim("grid.makespan < queue.makespan")}, runs, 0.95);
  return made;
}

std::size_t times(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size())
    ++count;
  return count;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string spec_of(const Chart& chart) { return scenarios::text_of(chart.spec); }

}  // namespace

TEST_CASE("the page of a sweep has the answer, one chart, and a folded part for each cell") {
  const std::vector<Material> materials{material_of(swept("peers.count", numbers(24)))};
  const std::string page = report_page(materials, {"", ""});
  CHECK(times(page, "class=\"chart\"") == 1);
  CHECK(times(page, "<details><summary>race peers.count=") == 24);
  CHECK(times(page, "Against grid, queue took") == 24);
  CHECK(page.find("best is peers.count=1") < page.find("<h2"));
  CHECK(!has(page, "<h2 id=\"run1-part5\">Trees"));
  CHECK(page.size() < 400'000);
}

TEST_CASE("the first of many settings that are best somewhere are shown, and the others folded") {
  std::vector<RunFigures> runs;
  for (int i = 0; i < 9; ++i) runs = together(runs, runs_of("s" + std::to_string(i), {1, 2}));
  std::vector<RunFigures> all = in_cell(runs, {{"peers.count", "10"}});
  all = together(all, in_cell(runs, {{"peers.count", "20"}}));
  const std::string page = report_page(std::vector<Material>{material_of(all)}, {"", ""});
  CHECK(page.find("<summary>3 more</summary><p class=\"result\">s6: ") != std::string::npos);
  CHECK(page.find("<h3>makespan, s against peers.count</h3>") != std::string::npos);
}

TEST_CASE("the page of a sweep of very many cells says where their tables are") {
  const std::vector<Material> materials{material_of(swept("peers.count", numbers(101)))};
  const std::string page = report_page(materials, {"", ""});
  CHECK(times(page, "<details><summary>race peers.count=") == 0);
  CHECK(has(page, "all 101 cells would be too much here"));
}

TEST_CASE("a claim is told once, with the cells in which it is not as claimed") {
  auto runs = swept("peers.count", numbers(5));
  for (RunFigures& run : runs)
    if (run.identity.cell.front().second == "4" && run.identity.label == "queue")
      for (double& value : run.values) value = 0;
  const Material material = material_of(runs);
  const auto summaries = by_claim(material.claims);
  REQUIRE(summaries.size() == 1);
  CHECK(summaries.front().results.size() == 5);
  CHECK(text_of(summaries.front()).find("(peers.count=4)") != std::string::npos);
  const std::string text = text_of(std::span<const ClaimResult>(material.claims), {});
  CHECK(times(text, "grid.makespan < queue.makespan") == 1);
  CHECK(times(text_of(std::span<const ClaimResult>(material.claims), {.all = true}),
              "grid.makespan < queue.makespan") == 5);
  const std::string page = report_page(std::vector<Material>{material}, {"", ""});
  CHECK(times(page, "1. grid.makespan &lt; queue.makespan") == 1);
}

TEST_CASE("a claim that is the same in all cells names no cell") {
  Material material = material_of(swept("peers.count", numbers(5)));
  CHECK(text_of(by_claim(material.claims).front()) == "holds in all 5 cells.");
  for (ClaimResult& claim : material.claims) claim.standing = Standing::fails;
  CHECK(text_of(by_claim(material.claims).front()) == "fails in all 5 cells.");
  material.claims.back().standing = Standing::inconclusive;
  CHECK(text_of(by_claim(material.claims).front()) ==
        "holds in none of 5 cells; fails in 4 (peers.count=1; peers.count=2; peers.count=3; "
        "peers.count=4); inconclusive in 1 (peers.count=5).");
}

TEST_CASE("a sweep of one key is a line for each scheduler, where values are numbers of one kind") {
  const auto durations = charts_of(sweep_in(swept("network.delay", {"\"1ms\"", "\"2s\""})));
  REQUIRE(durations.size() == 1);
  CHECK(has(spec_of(durations[0]), "network.delay, s"));
  CHECK(has(spec_of(durations[0]), "\"x\": 0.001"));
  CHECK(has(spec_of(durations[0]), "\"log\""));
  const auto few = charts_of(sweep_in(swept("peers.count", {"2", "3"})));
  CHECK(!has(spec_of(few[0]), "\"log\""));
  const auto words = charts_of(sweep_in(swept("graph.kind", {"\"ring\"", "\"star\""})));
  CHECK(has(spec_of(words[0]), "\"group\": \"ring\""));
}

TEST_CASE("no interval of a time reaches below 0 in the chart of a sweep") {
  const Sweep sweep = sweep_in(swept("peers.count", {"2", "3"}));
  REQUIRE(sweep.sides.front().points.front().mean.interval->low < 0);
  CHECK(!has(spec_of(charts_of(sweep)[0]), "\"low\": -"));
}

TEST_CASE("on a telephone every table of a sweep labels each figure and setting") {
  const std::vector<Material> materials{material_of(swept("peers.count", numbers(2)))};
  const std::string page = report_page(materials, {"", ""});
  CHECK(!has(page, "<table>"));
  CHECK(has(page, "data-of=\"queue\">4.5"));
  CHECK(has(page, "<th scope=\"row\" data-of=\"peers.count\">"));
  CHECK(has(page, "data-of=\"claim 1\""));
}

TEST_CASE("a sweep of two keys is a heat map for each scheduler") {
  std::vector<RunFigures> runs;
  for (const std::string jobs : {"1", "2"})
    for (const std::string peers : {"4", "8", "16"})
      for (const std::string label : {"grid", "queue"})
        runs = together(runs, in_cell(runs_of(label, {std::stod(peers), std::stod(jobs)}),
                                      {{"workload.jobs", jobs}, {"peers.count", peers}}));
  const auto charts = charts_of(sweep_in(runs));
  REQUIRE(charts.size() == 2);
  CHECK(charts[0].title == "makespan, s of grid");
  CHECK(times(spec_of(charts[0]), "\"across\"") >= 6);
  CHECK(has(spec_of(charts[0]), "viridis"));
  CHECK(charts[0].id != charts[1].id);
}

TEST_CASE("a scheduler that no swept key concerns is a level line") {
  auto runs = in_cell(runs_of("grid", {1, 2}), {{"scheduler.grid.burst", "1"}});
  runs = together(runs, in_cell(runs_of("grid", {2, 3}), {{"scheduler.grid.burst", "3"}}));
  runs = together(runs, runs_of("queue", {7, 9}));
  const auto charts = charts_of(sweep_in(runs));
  REQUIRE(charts.size() == 1);
  CHECK(times(spec_of(charts[0]), "\"mean\": 8") == 2);
  CHECK(has(charts[0].caption, "level line"));
}

}  // namespace rhizome::scenarios::sweep_report_test
