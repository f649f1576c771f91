#include "tools/report/served.hpp"

#include <fmt/core.h>

#include <utility>

#include "scenarios/store/directory.hpp"
#include "tools/report/blocks.hpp"
#include "tools/report/parts.hpp"

namespace rhizome::tools {

namespace {

// As a run of one repetition, of which only these are known.
std::vector<Contestant> contestants_of(const ServedReport& report) {
  Contestant one;
  one.name = report.by.scheduler;
  one.completions = {report.served.completions};
  one.tasks = {report.served.tasks};
  one.responses = {{.response = report.served.responses, .stretch = {}, .wait = {}}};
  return {one};
}

double seconds_of(const TimeSpan& span) {
  return std::chrono::duration<double>(span.until - span.from).count();
}

void add_counts(Element page, const ServedReport& report) {
  const auto& [open, done, cancelled] = report.served.jobs;
  const ServedSpan& served = report.served;
  Element list = page.add("dl");
  const auto entry = [&](const std::string& what, const std::string& text) {
    list.add("dt").text(what);
    list.add("dd").text(text);
  };
  entry("jobs submitted", fmt::format("{}: {} done, {} open, {} cancelled", open + done + cancelled,
                                      done, open, cancelled));
  entry("jobs submitted a minute",
        fmt::format("{:.4g}",
                    60 * static_cast<double>(open + done + cancelled) / seconds_of(report.span)));
  entry("their tasks", fmt::format("{}: {} done, {} of these with a wrong result", served.tasks,
                                   served.done, served.wrong));
  if (!served.completions.empty())
    entry("last result",
          fmt::format("{:.3f} s from the begin of the span", served.completions.back()));
  page.end_line();
}

void add_origin(Element page, const ServedReport& report, Outline& outline) {
  outline.add(page, "Origin");
  Element list = page.add("dl");
  for (const auto& [what, text] : {std::pair{"directory", report.directory},
                                   std::pair{"store of the jobs", report.by.store.string()},
                                   std::pair{"read at", moment_text(report.now)}}) {
    list.add("dt").text(what);
    list.add("dd").text(text);
  }
  page.end_line();
}

}  // namespace

std::string moment_text(Moment moment) {
  const auto whole = std::chrono::floor<std::chrono::seconds>(moment);
  std::string text = scenarios::utc_text(whole);
  const auto rest = (moment - whole).count();
  if (rest > 0) text.insert(text.size() - 1, fmt::format(".{:03}", rest));
  return text;
}

std::vector<Chart> served_charts(const ServedReport& report) {
  const std::vector<Contestant> contestants = contestants_of(report);
  std::vector<Chart> charts;
  if (!report.served.completions.empty()) charts.push_back(completion_chart(contestants));
  if (Chart chart = response_chart(contestants); !chart.spec.is_null())
    charts.push_back(std::move(chart));
  return charts;
}

std::string served_page(const ServedReport& report, const PageLibrary& library) {
  const std::string title = report.scenario + ": served by " + report.by.scheduler;
  const std::vector<Chart> charts = served_charts(report);
  return document_of(title + " (Rhizome report)", charts, library, [&](Element main) {
    Element page = main.add("section");
    page.end_line();
    add_line(page, "h1", title);
    add_paragraph(page, "result",
                  fmt::format("Jobs submitted from {} until {}.", moment_text(report.span.from),
                              moment_text(report.span.until)));
    add_paragraph(page, "soft",
                  "They count with all that became of them until the store was read, whether "
                  "within this span or after it. Jobs that were submitted before and done within "
                  "it do not count.");
    Element contents = page.add("nav", {{"aria-label", "Contents"}}).add("ul");
    page.end_line();
    Outline outline(contents, "");
    outline.add(page, "Jobs and tasks");
    add_counts(page, report);
    outline.add(page, "Times of jobs");
    const std::vector<Contestant> contestants = contestants_of(report);
    add_responses(page, contestants);
    for (const Chart& chart : charts) add_titled_figure(page, chart, outline);
    add_origin(page, report, outline);
  });
}

}  // namespace rhizome::tools
