// The runs of the experiment: those under way, and how others ended.
#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <vector>

#include "scenarios/outcome/validity.hpp"
#include "tools/monitor/panels/panel.hpp"

namespace rhizome::tools {

namespace live = scenarios::live;

namespace {

std::string brief_line(const live::RunBrief& brief) {
  const live::RunTitle& run = brief.run;
  std::string progress = fmt::format("{:.1f} s", core::seconds(brief.now));
  if (run.length.open_for > core::Duration::zero())
    progress += fmt::format(" of {:.4g} s", core::seconds(run.length.open_for));
  else if (run.tasks)
    progress += fmt::format(", {} of {} tasks", brief.completed, *run.tasks);
  return fmt::format("{:>4}  {:<24} {:>4}  under way  {}  {}", run.number + 1,
                     shortened(run.label, 24), run.repetition + 1, progress, run.cell);
}

std::string end_line(const live::RunEnd& end) {
  std::string verdict(core::name_of(end.ending));
  if (end.judged) verdict += fmt::format(", {}", scenarios::name_of(end.validity));
  if (!end.violations.empty()) verdict += fmt::format(", {} broken", end.violations.size());
  if (!end.reason.empty()) verdict += ": " + end.reason;
  return fmt::format("{:>4}  {:<24} {:>4}  ended at {:.1f} s  {}", end.run + 1,
                     shortened(end.label, 24), end.repetition + 1, core::seconds(end.ended),
                     verdict);
}

}  // namespace

std::vector<std::uint32_t> listed_runs(const live::Knowledge& known) {
  std::vector<std::uint32_t> runs;
  for (const live::RunBrief& brief : known.under_way) runs.push_back(brief.run.number);
  return runs;
}

void put_runs(TextGrid& grid, const Panel& panel, std::size_t line, std::size_t end) {
  if (line >= end) return;
  grid.put(0, line, fmt::format("{:>4}  {:<24} {:>4}", "run", "scheduler", "rep."), Style::faint);
  grid.put_before(grid.size().width, line++, "Enter turns to one, \\ to the newest", Style::faint);
  for (const live::RunBrief& brief : panel.known.under_way) {
    if (line >= end) return;
    const bool shown = brief.run.number == panel.state.frame().run.number;
    grid.put(0, line, brief_line(brief) + (shown ? "  (shown)" : ""));
    if (panel.view.chosen_run == brief.run.number) grid.mark(line, Style::chosen);
    ++line;
  }
  for (auto each = panel.known.ends.rbegin(); each != panel.known.ends.rend() && line < end; ++each)
    grid.put(0, line++, end_line(*each), each->violations.empty() ? Style::faint : Style::bad);
}

}  // namespace rhizome::tools
