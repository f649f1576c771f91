#include "tools/report/page.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>

#include "scenarios/outcome/validity.hpp"
#include "tools/chart/colours.hpp"
#include "tools/compare/compare.hpp"
#include "tools/markup/markup.hpp"
#include "tools/report/blocks.hpp"
#include "tools/report/parts.hpp"
#include "tools/sweep/charts.hpp"

namespace rhizome::tools {

namespace {

// A schedule of more executions than this would make the page slow; the command draws it alone.
constexpr std::size_t most_executions = 20'000;

std::string prefix(std::size_t i) { return "run" + std::to_string(i + 1) + "-"; }
std::string id_of(const std::string& name) {
  std::string id;
  for (const char c : name) id += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '-';
  return id;
}

bool drawable(const Contestant& contestant) {
  return contestant.executions > 0 && contestant.executions <= most_executions;
}

std::vector<Chart> charts_of_sweeps(const Material& material) {
  std::vector<Chart> charts;
  for (const Sweep& sweep : material.sweeps)
    for (Chart& chart : charts_of(sweep)) charts.push_back(std::move(chart));
  return charts;
}

std::vector<Chart> charts_within(const Material& material) {
  const std::vector<Contestant>& all = material.contestants;
  if (overlays_alone(compared_within(material.runs)))
    return {burden_chart(all, core::MessageClass::information), cause_chart(all)};
  std::vector<Chart> charts{completion_chart(all),
                            order_chart(all),
                            response_chart(all),
                            wait_chart(all),
                            stretch_chart(all),
                            burden_chart(all, core::MessageClass::job),
                            burden_chart(all, core::MessageClass::result),
                            burden_chart(all, core::MessageClass::information),
                            cause_chart(all)};
  double last = 0;
  for (const Contestant& each : all) last = std::max(last, drawable(each) ? each.ended : 0);
  for (std::size_t c = 0; c < all.size(); ++c) {
    if (!drawable(all[c])) continue;
    Chart schedule = all[c].schedule;
    span(schedule.spec, last);
    schedule.title = "Schedule of " + all[c].name;
    schedule.id = "schedule-" + std::to_string(c + 1) + "-" + id_of(all[c].name);
    charts.push_back(std::move(schedule));
  }
  return charts;
}

// The names of schedulers, as in the series of the charts.
std::vector<std::string> names_in(const Material& material) {
  std::vector<std::string> names;
  for (const Contestant& contestant : material.contestants) names.push_back(contestant.name);
  for (const Sweep& sweep : material.sweeps)
    for (const SweepSide& side : sweep.sides) names.push_back(side.label);
  return names;
}

// The charts of one run, with ids that no other run has.
std::vector<Chart> charts_of(const Material& material, std::size_t i) {
  std::vector<Chart> charts =
      material.sweeps.empty() ? charts_within(material) : charts_of_sweeps(material);
  const std::vector<std::string> names = names_in(material);
  const Colours colours({&names, 1});
  for (Chart& chart : charts) recolour(chart.spec, colours);
  for (Chart& chart : charts) chart.id = prefix(i) + chart.id;
  return charts;
}

// Adds a badge, and the blank that separates it from the next.
void add_badge(Element paragraph, const std::string& text, bool good) {
  paragraph.add("span", {{"class", good ? "verdict good" : "verdict bad"}}).text(text);
  paragraph.text(" ");
}

// The first of the runs that are least valid.
const RunFigures& worst_run(const Material& material) {
  static const RunFigures none;
  if (material.runs.empty()) return none;
  return *std::ranges::max_element(material.runs, {},
                                   [](const RunFigures& run) { return run.validity.level; });
}

std::string lost_tasks_text(const Material& material, std::size_t unfinished) {
  const bool known = std::ranges::all_of(material.runs, &RunFigures::results_known);
  if (!known) return "results not known";
  return unfinished == 0 ? "no task lost" : std::to_string(unfinished) + " tasks never completed";
}

// Invariants that no run was judged on must not be reported as holding.
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
  std::size_t steered = 0;
  for (const RunFigures& run : material.runs) {
    violations += run.violations;
    unfinished += run.unfinished;
    failed += run.failure.empty() ? 0 : 1;
    steered += run.steered > 0 ? 1 : 0;
  }
  const RunFigures& worst = worst_run(material);
  const Validity& validity = worst.validity;
  const bool valid = validity.level == Validity::Level::valid;
  Element badges = page.add("p");
  add_badge(badges, std::string(name_of(validity.level)), valid);
  add_badge(badges,
            violations == 0 ? "all invariants hold" + void_text(material)
                            : std::to_string(violations) + " invariants broken",
            violations == 0);
  add_badge(badges, lost_tasks_text(material, unfinished), unfinished == 0);
  if (steered > 0)
    add_badge(badges,
              std::to_string(steered) + (steered == 1 ? " run" : " runs") + " steered by hand",
              false);
  if (failed > 0) add_badge(badges, std::to_string(failed) + " runs failed", false);
  page.end_line();
  if (!valid)
    add_paragraph(page, "bad",
                  (worst.lost ? "A process was lost, so the results are not whole: "
                              : "The emulation could not keep up everywhere, so times are "
                                "distorted: ") +
                      validity.reason + "; " + validity.remedy);
}

void add_summary(Element page, const Material& material) {
  Element list = page.add("dl");
  const auto entry = [&](const std::string& what, const std::string& text) {
    if (text.empty()) return;
    list.add("dt").text(what);
    list.add("dd").text(text);
  };
  entry("directory", material.name);
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

void add_bill(Element page, const Contestant& contestant) {
  add_details(page,
              "The bill of " + contestant.name + ", in which the most loaded peer carries " +
                  fmt::format("{:.1f}", contestant.bill.hot_spot) +
                  " times what the median peer does",
              text_of(contestant.bill, 10));
}

void add_schedules(Element parent, const Material& material, std::span<const Chart> charts,
                   Outline& outline) {
  Element page = parent.add("div", {{"class", "drawn"}});
  outline.add(page, "Schedules", true);
  add_paragraph(page, "soft", "The first repetition.");
  for (const Contestant& contestant : material.contestants) {
    add_line(page, "h3", contestant.name);
    if (drawable(contestant)) {
      add_figure(page, charts.front());
      charts = charts.subspan(1);
      continue;
    }
    if (contestant.executions == 0) {
      add_paragraph(page, "soft", "Nothing was executed.");
      continue;
    }
    Element excuse = page.add("p", {{"class", "soft"}});
    excuse.text(std::to_string(contestant.executions) + " executions: too many to draw here; ");
    excuse.add("code").text("rhizome timeline --svg");
    excuse.text(" draws them.");
    page.end_line();
  }
}

// The scenario, and its schedulers in the order in which they are set side by side.
std::string title_of(const Material& material) {
  if (material.runs.empty()) return material.name;
  std::vector<std::string> labels;
  for (const RunFigures& run : material.runs)
    if (std::ranges::find(labels, run.identity.label) == labels.end())
      labels.push_back(run.identity.label);
  std::string title = material.runs.front().identity.scenario + ": " + labels.front();
  for (std::size_t i = 1; i < labels.size(); ++i) title += (i > 1 ? ", " : " against ") + labels[i];
  return title;
}

void add_opening(Element section, const Material& material,
                 const std::vector<Comparison>& comparisons) {
  add_line(section, "h1", title_of(material));
  if (!material.description.empty()) add_paragraph(section, "soft", material.description);
  if (material.sweeps.empty()) {
    for (const Comparison& comparison : comparisons)
      for (const std::string& sentence : verdicts_of(comparison))
        add_paragraph(section, "result", sentence);
  } else {
    add_sweep_verdict(section, material);
  }
  add_badges(section, material);
}

void add_charts(Element section, std::span<const Chart> charts, Outline& outline) {
  for (const Chart& chart : charts) add_titled_figure(section, chart, outline);
}

void add_origin(Element section, const Material& material, Outline& outline) {
  outline.add(section, "Origin");
  add_summary(section, material);
  outline.add(section, "Scenario");
  add_details(section, "The effective scenario, defaults included", material.scenario);
  if (material.again.empty()) return;
  outline.add(section, "Replay");
  add_paragraph(section, "soft", "In the run's directory:");
  add_line(section, "pre", material.again);
}

void add_figures(Element section, const Material& material,
                 const std::vector<Comparison>& comparisons, Outline& outline) {
  outline.add(section, "Comparison");
  for (const Comparison& comparison : comparisons) add_comparison(section, comparison);
  add_claims(section, material.claims, outline);
}

// What overlays without work have: their graphs and their messages.
void add_overlays(Element section, const Material& material,
                  const std::vector<Comparison>& comparisons, std::span<const Chart> charts,
                  Outline& outline) {
  add_figures(section, material, comparisons, outline);
  add_structures(section, material.contestants, outline);
  add_charts(section, charts, outline);
  for (const Contestant& contestant : material.contestants) add_bill(section, contestant);
}

// Adds the events within a run.
void add_events(Element section, const Material& material,
                const std::vector<Comparison>& comparisons, std::span<const Chart> charts,
                Outline& outline) {
  constexpr std::size_t fixed = 8;  // charts before the schedules, without the first of all
  add_figures(section, material, comparisons, outline);
  outline.add(section, "Times of jobs");
  add_responses(section, material.contestants);
  add_charts(section, charts.first(fixed), outline);
  for (const Contestant& contestant : material.contestants) add_bill(section, contestant);
  outline.add(section, "What became of the tasks");
  add_fates(section, material.contestants);
  add_structures(section, material.contestants, outline);
  add_schedules(section, material, charts.subspan(fixed), outline);
}

void add_section(Element page, const Material& material, std::size_t i) {
  const std::vector<Chart> charts = charts_of(material, i);
  const std::vector<Comparison> comparisons = compared_within(material.runs);
  Element section = page.add("section");
  section.end_line();
  add_opening(section, material, comparisons);
  Element contents = section.add("nav", {{"aria-label", "Contents"}}).add("ul");
  section.end_line();
  Outline outline(contents, prefix(i));
  if (material.sweeps.empty() && overlays_alone(comparisons)) {
    add_overlays(section, material, comparisons, charts, outline);
  } else if (material.sweeps.empty()) {
    const std::span<const Chart> rest(charts);
    add_titled_figure(section, rest.front(), outline);
    add_events(section, material, comparisons, rest.subspan(1), outline);
  } else {
    add_sweeps(section, material, charts, outline);
    add_claims(section, material.claims, outline);
    add_cells(section, comparisons, outline);
  }
  add_processes(section, material.record, outline);
  add_origin(section, material, outline);
  page.end_line();
}

}  // namespace

std::vector<Chart> report_charts(std::span<const Material> materials) {
  std::vector<Chart> all;
  for (std::size_t i = 0; i < materials.size(); ++i)
    for (Chart& chart : charts_of(materials[i], i))
      if (!chart.spec.is_null()) all.push_back(std::move(chart));
  return all;
}

std::string report_page(std::span<const Material> materials, const PageLibrary& library) {
  const std::string title =
      materials.empty() ? "Rhizome report" : title_of(materials.front()) + " (Rhizome report)";
  return document_of(title, report_charts(materials), library, [&](Element main) {
    for (std::size_t i = 0; i < materials.size(); ++i) add_section(main, materials[i], i);
  });
}

}  // namespace rhizome::tools
