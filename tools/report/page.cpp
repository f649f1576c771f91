#include "tools/report/page.hpp"

#include <fmt/core.h>

#include <cctype>

#include "scenarios/outcome/validity.hpp"
#include "tools/carried.hpp"
#include "tools/compare/compare.hpp"
#include "tools/compare/wording.hpp"
#include "tools/markup/markup.hpp"
#include "tools/report/charts.hpp"

namespace rhizome::tools {

namespace {

// A schedule of more executions than this would make the page slow; the command draws it alone.
constexpr std::size_t most_executions = 20'000;

// Inside of a script element, words that begin with < may end it or hide its end; JSON may write
// the sign as an escape.
std::string json_in_script(std::string json) {
  constexpr std::string_view escape = "\\u003c";
  for (std::size_t at = 0; (at = json.find('<', at)) != std::string::npos; at += escape.size())
    json.replace(at, 1, escape);
  return json;
}

std::string prefix(std::size_t i) { return "run" + std::to_string(i + 1) + "-"; }

std::string id_of(const std::string& name) {
  std::string id;
  for (const char c : name) id += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '-';
  return id;
}

bool drawable(const Contestant& contestant) {
  return contestant.executions > 0 && contestant.executions <= most_executions;
}

// The charts of one run, with ids that no other run has.
std::vector<Chart> charts_of(const Material& material, std::size_t i) {
  const std::vector<Contestant>& all = material.contestants;
  std::vector<Chart> charts{completion_chart(all), burden_chart(all, core::MessageClass::job),
                            burden_chart(all, core::MessageClass::result),
                            burden_chart(all, core::MessageClass::information), cause_chart(all)};
  for (std::size_t c = 0; c < all.size(); ++c) {
    if (!drawable(all[c])) continue;
    Chart schedule = all[c].schedule;
    schedule.id = "schedule-" + std::to_string(c + 1) + "-" + id_of(all[c].name);
    charts.push_back(std::move(schedule));
  }
  for (Chart& chart : charts) chart.id = prefix(i) + chart.id;
  return charts;
}

void add_figure(Element page, const Chart& chart) {
  Element figure = page.add("figure");
  figure.add("div", {{"class", "chart"}, {"id", chart.id}});
  figure.add("figcaption").text(chart.caption);
  page.end_line();
}

// An element of nothing but text, on a line of its own.
void add_line(Element page, const char* name, const std::string& text) {
  page.add(name).text(text);
  page.end_line();
}

void add_paragraph(Element page, const std::string& kind, const std::string& text) {
  page.add("p", {{"class", kind}}).text(text);
  page.end_line();
}

// With what parts it from the next.
void add_badge(Element paragraph, const std::string& text, bool good) {
  paragraph.add("span", {{"class", good ? "verdict good" : "verdict bad"}}).text(text);
  paragraph.text(" ");
}

Validity worst_validity(const Material& material) {
  Validity worst;
  for (const RunFigures& run : material.runs)
    if (run.validity.level > worst.level) worst = run.validity;
  return worst;
}

// What no run was judged on must not be said to hold.
std::string void_text(const Material& material) {
  std::vector<Judged> sum;
  for (const RunFigures& run : material.runs)
    for (const Judged& part : run.judged) add_judged(sum, part);
  std::string text;
  for (const Judged& one : sum)
    if (one.judged == Duration::zero()) text += ", " + one.invariant + " not judged";
  return text;
}

void add_badges(Element page, const Material& material) {
  std::size_t violations = 0;
  std::size_t unfinished = 0;
  std::size_t failed = 0;
  for (const RunFigures& run : material.runs) {
    violations += run.violations;
    unfinished += run.unfinished;
    failed += run.failure.empty() ? 0 : 1;
  }
  const Validity validity = worst_validity(material);
  const bool valid = validity.level == Validity::Level::valid;
  Element badges = page.add("p");
  add_badge(badges, std::string(name_of(validity.level)), valid);
  add_badge(badges,
            violations == 0 ? "all invariants hold" + void_text(material)
                            : std::to_string(violations) + " invariants broken",
            violations == 0);
  add_badge(
      badges,
      unfinished == 0 ? "no task lost" : std::to_string(unfinished) + " tasks never completed",
      unfinished == 0);
  if (failed > 0) add_badge(badges, std::to_string(failed) + " runs failed", false);
  page.end_line();
  if (!valid)
    add_paragraph(page, "bad",
                  "The emulation could not keep up everywhere, so times are distorted: " +
                      validity.reason + "; " + validity.remedy);
}

void add_summary(Element page, const Material& material) {
  add_badges(page, material);
  Element list = page.add("dl");
  const auto entry = [&](const std::string& what, const std::string& text) {
    if (text.empty()) return;
    list.add("dt").text(what);
    list.add("dd").text(text);
  };
  entry("runs", std::to_string(material.runs.size()));
  if (!material.runs.empty()) entry("engine", material.runs.front().identity.engine);
  entry("begun", material.record.started);
  entry("verdict", material.record.verdict);
  entry("machine", material.record.host.processor +
                       (material.record.host.cores > 0
                            ? ", " + std::to_string(material.record.host.cores) + " cores"
                            : ""));
  for (const auto& [name, version] : material.record.versions) entry(name, version);
  page.end_line();
}

// With the class of its merit, where it has one.
Element add_versus(Element row, const ComparisonRow& of, std::size_t side) {
  const int worth = merit(*of.metric, of.versus[side]);
  if (worth == 0) return row.add("td");
  return row.add("td", {{"class", worth > 0 ? "good" : "bad"}});
}

void add_head(Element table, const Comparison& comparison) {
  Element row = table.add("thead").add("tr");
  const auto column = [&](const std::string& text) {
    row.add("th", {{"scope", "col"}}).text(text);
  };
  column("metric");
  for (const Side& side : comparison.sides) column(side.name + (sound(side) ? "" : " !"));
  for (std::size_t i = 1; i < comparison.sides.size(); ++i)
    column(comparison.sides[i].name + " / " + comparison.sides.front().name);
}

void add_row(Element body, const ComparisonRow& of) {
  const Metric& metric = *of.metric;
  Element row = body.add("tr");
  row.add("th", {{"scope", "row"}}).text(lone_heading(metric));
  for (const Estimate& mean : of.means) row.add("td").text(mean_text(mean));
  for (std::size_t i = 1; i < of.versus.size(); ++i)
    add_versus(row, of, i)
        .text(versus_text(of.versus[i]) + " " + verdict_text(metric, of.versus[i]));
  body.end_line();
}

void add_table(Element page, const Comparison& comparison) {
  Element table = page.add("div", {{"class", "scroll"}}).add("table");
  table.add("caption").text(comparison.title + ", " + comparison.engine + ". " +
                            method_text(comparison));
  add_head(table, comparison);
  Element body = table.add("tbody");
  body.end_line();
  for (const ComparisonRow& row : comparison.rows)
    if (comparison.headline(row)) add_row(body, row);
  page.end_line();
  add_paragraph(page, "soft", judged_text(comparison));
  for (const std::string& warning : comparison.warnings) add_paragraph(page, "bad", warning);
}

void add_comparisons(Element page, const Material& material) {
  std::vector<RunFigures> runs = material.runs;
  for (RunFigures& run : runs) run.origin.clear();
  for (const Comparison& comparison : compare(runs, {})) add_table(page, comparison);
}

// What is shown to whoever asks for it.
void add_details(Element page, const std::string& summary, const std::string& text) {
  Element details = page.add("details");
  details.add("summary").text(summary);
  details.add("pre").text(text);
  page.end_line();
}

void add_bill(Element page, const Contestant& contestant) {
  add_details(page,
              "The bill of " + contestant.name + ", in which the most loaded peer carries " +
                  fmt::format("{:.1f}", contestant.bill.hot_spot) +
                  " times what the median peer does",
              text_of(contestant.bill, 10));
}

void add_trees(Element page, const Material& material) {
  add_line(page, "h2", "Trees");
  add_paragraph(page, "soft", "The first repetition, as it stood last.");
  for (const Contestant& contestant : material.contestants) {
    add_line(page, "h3", contestant.name);
    Element figure = page.add("figure", {{"class", "tree"}});
    if (!contestant.tree_svg.empty()) figure.insert(contestant.tree_svg);
    page.end_line();
  }
}

void add_schedules(Element page, const Material& material, std::span<const Chart> charts) {
  add_line(page, "h2", "Schedules");
  add_paragraph(page, "soft", "The first repetition.");
  for (const Contestant& contestant : material.contestants) {
    add_line(page, "h3", contestant.name);
    if (drawable(contestant)) {
      add_figure(page, charts.front());
      charts = charts.subspan(1);
      continue;
    }
    Element excuse = page.add("p", {{"class", "soft"}});
    excuse.text(std::to_string(contestant.executions) + " executions: too many to draw here; ");
    excuse.add("code").text("rhizome timeline --svg");
    excuse.text(" draws them.");
    page.end_line();
  }
}

void add_section(Element page, const Material& material, std::size_t i) {
  constexpr std::size_t fixed = 5;  // charts before the schedules
  const std::vector<Chart> charts = charts_of(material, i);
  Element section = page.add("section");
  section.end_line();
  add_line(section, "h1", material.name);
  add_summary(section, material);
  add_line(section, "h2", "Comparison");
  add_comparisons(section, material);
  for (std::size_t c = 0; c < fixed; ++c) {
    add_line(section, "h2", charts[c].title);
    add_figure(section, charts[c]);
  }
  for (const Contestant& contestant : material.contestants) add_bill(section, contestant);
  add_trees(section, material);
  add_schedules(section, material, std::span(charts).subspan(fixed));
  add_line(section, "h2", "Scenario");
  add_line(section, "pre", material.scenario);
  add_line(section, "h2", "Replay");
  add_paragraph(section, "soft", "In the run's directory:");
  add_line(section, "pre", material.replay);
  page.end_line();
}

void add_scripts(Element body, std::span<const Material> materials, const PageLibrary& library) {
  if (library.script.empty()) {
    add_paragraph(body, "bad",
                  "This page has no charts: it was made by a rhizome that was built without "
                  "Node.js.");
    return;
  }
  Json specs = Json::object();
  for (const Chart& chart : report_charts(materials)) specs[chart.id] = chart.spec;
  body.add("script", {{"type", "application/json"}, {"id", "charts"}})
      .text(json_in_script(line_of(specs)));
  body.end_line();
  body.add("script").text(library.script);
  body.end_line();
  body.add("script").text(carried_file("report/page.js"));
  body.end_line();
  add_details(body, "Licences of what draws the charts", std::string(library.licences));
}

void add_document_head(Element page, std::span<const Material> materials) {
  Element head = page.add("head");
  head.end_line();
  head.add("meta", {{"charset", "utf-8"}});
  head.end_line();
  head.add("meta", {{"name", "viewport"}, {"content", "width=device-width, initial-scale=1"}});
  head.end_line();
  head.add("link", {{"rel", "icon"}, {"href", "data:,"}});
  head.end_line();
  head.add("title").text(materials.empty() ? "Rhizome report"
                                           : materials.front().name + ": Rhizome report");
  head.end_line();
  head.add("style").text(carried_file("report/page.css"));
  head.end_line();
  page.end_line();
}

}  // namespace

std::vector<Chart> report_charts(std::span<const Material> materials) {
  std::vector<Chart> all;
  for (std::size_t i = 0; i < materials.size(); ++i)
    for (Chart& chart : charts_of(materials[i], i)) all.push_back(std::move(chart));
  return all;
}

std::string report_page(std::span<const Material> materials, const PageLibrary& library) {
  const Markup page("html", {{"lang", "en"}});
  page.root().end_line();
  add_document_head(page.root(), materials);
  Element body = page.root().add("body");
  body.end_line();
  Element main = body.add("main");
  main.end_line();
  for (std::size_t i = 0; i < materials.size(); ++i) add_section(main, materials[i], i);
  body.end_line();
  add_scripts(body, materials, library);
  page.root().end_line();
  return "<!DOCTYPE html>\n" + page.text();
}

}  // namespace rhizome::tools
