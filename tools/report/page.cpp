#include "tools/report/page.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

#include "scenarios/outcome/validity.hpp"
#include "tools/compare/compare.hpp"
#include "tools/compare/wording.hpp"
#include "tools/report/carried.hpp"
#include "tools/report/charts.hpp"

namespace rhizome::tools {

namespace {

// A schedule of more executions than this would make the page slow; the command draws it alone.
constexpr std::size_t most_executions = 20'000;

std::string tag(const std::string& name, const std::string& content) {
  return "<" + name + ">" + content + "</" + name + ">";
}

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

// Inside of a script element, words that begin with < may end it or hide its end. JSON may write
// the sign as an escape; in a program the one such word stands within texts, where its slash may.
std::string json_in_script(const std::string& json) { return replaced(json, "<", "\\u003c"); }
std::string program_in_script(std::string_view program) {
  return replaced(std::string(program), "</script", "<\\/script");
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

std::string figure_of(const Chart& chart) {
  return "<figure><div class=\"chart\" id=\"" + html_of(chart.id) + "\"></div><figcaption>" +
         html_of(chart.caption) + "</figcaption></figure>\n";
}

std::string badge(const std::string& text, bool good) {
  return "<span class=\"verdict " + std::string(good ? "good" : "bad") + "\">" + html_of(text) +
         "</span>";
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

std::string summary_of(const Material& material) {
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
  std::string html =
      "<p>" + badge(std::string(name_of(validity.level)), valid) + " " +
      badge(violations == 0 ? "all invariants hold" + void_text(material)
                            : std::to_string(violations) + " invariants broken",
            violations == 0) +
      " " +
      badge(
          unfinished == 0 ? "no task lost" : std::to_string(unfinished) + " tasks never completed",
          unfinished == 0) +
      (failed == 0 ? "" : " " + badge(std::to_string(failed) + " runs failed", false)) + "</p>\n";
  if (!valid)
    html += "<p class=\"bad\">" +
            html_of(
                "The emulation could not keep up everywhere, so times are "
                "distorted: " +
                validity.reason + "; " + validity.remedy) +
            "</p>\n";
  html += "<dl><dt>runs</dt><dd>" + std::to_string(material.runs.size()) + "</dd>";
  const auto entry = [&](const char* what, const std::string& text) {
    if (!text.empty()) html += "<dt>" + std::string(what) + "</dt><dd>" + html_of(text) + "</dd>";
  };
  if (!material.runs.empty()) entry("engine", material.runs.front().identity.engine);
  entry("begun", material.record.started);
  entry("verdict", material.record.verdict);
  entry("machine", material.record.host.processor +
                       (material.record.host.cores > 0
                            ? ", " + std::to_string(material.record.host.cores) + " cores"
                            : ""));
  for (const auto& [name, version] : material.record.versions) entry(name.c_str(), version);
  return html + "</dl>\n";
}

std::string merit_class(const ComparisonRow& row, std::size_t side) {
  const int worth = merit(*row.metric, row.versus[side]);
  return worth > 0 ? " class=\"good\"" : worth < 0 ? " class=\"bad\"" : "";
}

std::string table_of(const Comparison& comparison) {
  std::string html =
      "<div class=\"scroll\"><table><caption>" +
      html_of(comparison.title + ", " + comparison.engine + ". " + method_text(comparison)) +
      "</caption><thead><tr><th scope=\"col\">metric</th>";
  for (const Side& side : comparison.sides)
    html += "<th scope=\"col\">" + html_of(side.name + (sound(side) ? "" : " !")) + "</th>";
  for (std::size_t i = 1; i < comparison.sides.size(); ++i)
    html += "<th scope=\"col\">" +
            html_of(comparison.sides[i].name + " / " + comparison.sides.front().name) + "</th>";
  html += "</tr></thead><tbody>\n";
  for (const ComparisonRow& row : comparison.rows) {
    if (!row.metric->headline) continue;
    html += "<tr><th scope=\"row\">" +
            html_of(row.metric->title.starts_with(' ') ? row.metric->name : heading(*row.metric)) +
            "</th>";
    for (const Estimate& mean : row.means) html += tag("td", html_of(mean_text(mean)));
    for (std::size_t i = 1; i < row.versus.size(); ++i)
      html += "<td" + merit_class(row, i) + ">" +
              html_of(versus_text(row.versus[i]) + " " + verdict_text(*row.metric, row.versus[i])) +
              "</td>";
    html += "</tr>\n";
  }
  html += "</tbody></table></div>\n";
  html += "<p class=\"soft\">" + html_of(judged_text(comparison)) + "</p>\n";
  for (const std::string& warning : comparison.warnings)
    html += "<p class=\"bad\">" + html_of(warning) + "</p>\n";
  return html;
}

std::string comparisons_of(const Material& material) {
  std::vector<RunFigures> runs = material.runs;
  for (RunFigures& run : runs) run.origin.clear();
  std::string html;
  for (const Comparison& comparison : compare(runs, {})) html += table_of(comparison);
  return html;
}

std::string bill_of(const Contestant& contestant) {
  std::array<char, 32> hot{};
  std::snprintf(hot.data(), hot.size(), "%.1f", contestant.bill.hot_spot);
  return "<details><summary>The bill of " + html_of(contestant.name) +
         ", in which the most loaded peer carries " + hot.data() +
         " times what the median peer does</summary><pre>" + html_of(text_of(contestant.bill, 10)) +
         "</pre></details>\n";
}

std::string schedules_of(const Material& material, std::span<const Chart> charts) {
  std::string html = "<h2>Schedules</h2>\n<p class=\"soft\">The first repetition.</p>\n";
  for (const Contestant& contestant : material.contestants) {
    html += "<h3>" + html_of(contestant.name) + "</h3>\n";
    if (drawable(contestant)) {
      html += figure_of(charts.front());
      charts = charts.subspan(1);
    } else {
      html += "<p class=\"soft\">" + std::to_string(contestant.executions) +
              " executions: too many to draw here; <code>rhizome timeline --svg</code> draws "
              "them.</p>\n";
    }
  }
  return html;
}

std::string section_of(const Material& material, std::size_t i) {
  constexpr std::size_t fixed = 5;  // charts before the schedules
  const std::vector<Chart> charts = charts_of(material, i);
  std::string html = "<section>\n<h1>" + html_of(material.name) + "</h1>\n" + summary_of(material);
  html += "<h2>Comparison</h2>\n" + comparisons_of(material);
  for (std::size_t c = 0; c < fixed; ++c)
    html += "<h2>" + html_of(charts[c].title) + "</h2>\n" + figure_of(charts[c]);
  for (const Contestant& contestant : material.contestants) html += bill_of(contestant);
  html += "<h2>Trees</h2>\n<p class=\"soft\">The first repetition, as it stood last.</p>\n";
  for (const Contestant& contestant : material.contestants)
    html += "<h3>" + html_of(contestant.name) + "</h3>\n<figure class=\"tree\">" +
            contestant.tree_svg + "</figure>\n";
  html += schedules_of(material, std::span(charts).subspan(fixed));
  html += "<h2>Scenario</h2>\n<pre>" + html_of(material.scenario) + "</pre>\n";
  return html + "<h2>Replay</h2>\n<p class=\"soft\">In the run's directory:</p>\n<pre>" +
         html_of(material.replay) + "</pre>\n</section>\n";
}

std::string script_of(std::span<const Material> materials, const PageLibrary& library) {
  if (library.script.empty())
    return "<p class=\"bad\">This page has no charts: it was made by a rhizome that was built "
           "without Node.js.</p>\n";
  Json specs = Json::object();
  for (const Chart& chart : report_charts(materials)) specs[chart.id] = chart.spec;
  return "<script type=\"application/json\" id=\"charts\">" + json_in_script(line_of(specs)) +
         "</script>\n<script>" + program_in_script(library.script) + "</script>\n<script>" +
         std::string(page_drawing()) +
         "</script>\n<details><summary>Licences of what draws the "
         "charts</summary><pre>" +
         html_of(library.licences) + "</pre></details>\n";
}

}  // namespace

std::string html_of(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::vector<Chart> report_charts(std::span<const Material> materials) {
  std::vector<Chart> all;
  for (std::size_t i = 0; i < materials.size(); ++i)
    for (Chart& chart : charts_of(materials[i], i)) all.push_back(std::move(chart));
  return all;
}

std::string report_page(std::span<const Material> materials, const PageLibrary& library) {
  std::string title = "Rhizome report";
  if (!materials.empty()) title = materials.front().name + ": Rhizome report";
  std::string html =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<link rel=\"icon\" href=\"data:,\">\n<title>" +
      html_of(title) + "</title>\n<style>" + std::string(page_style()) +
      "</style>\n</head>\n<body>\n";
  html += "<main>\n";
  for (std::size_t i = 0; i < materials.size(); ++i) html += section_of(materials[i], i);
  return html + "</main>\n" + script_of(materials, library) + "</body>\n</html>\n";
}

}  // namespace rhizome::tools
