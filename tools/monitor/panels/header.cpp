// The header of every screen: the title of the run, its progress and its validity.
#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <string>

#include "scenarios/live/verdict.hpp"
#include "scenarios/outcome/validity.hpp"
#include "scenarios/text/duration_text.hpp"
#include "tools/monitor/panels/panel.hpp"

namespace rhizome::tools {

namespace live = scenarios::live;

namespace {

using Level = scenarios::Validity::Level;

constexpr std::size_t wide = 140;

std::uint64_t sum(const core::DropCounts& dropped) {
  return std::accumulate(dropped.begin(), dropped.end(), std::uint64_t{0});
}

Style style_of(Level level) {
  if (level == Level::valid) return Style::good;
  return level == Level::suspect ? Style::doubtful : Style::bad;
}

std::string run_text(const Panel& panel, bool is_wide) {
  const live::RunTitle& run = panel.state.frame().run;
  std::string text =
      fmt::format("rhizome  {} {}/{}  {}", run.scenario, run.number + 1,
                  std::max<std::uint64_t>(panel.known.welcome.runs, run.number + 1), run.label);
  text += fmt::format("{}{}", is_wide ? ", repetition " : " #", run.repetition + 1);
  text += run.engine == "threads" ? fmt::format("  threads x{:.3g}", run.time_scale)
                                  : "  " + run.engine;
  if (const auto& processes = panel.state.frame().cost.processes; is_wide && !processes.empty())
    text += fmt::format(" in {} processes", processes.size());
  if (is_wide) text += fmt::format("  seed {}", run.seed);
  if (!run.cell.empty()) text += "  " + run.cell;
  return text;
}

std::string standing_text(const Panel& panel, bool is_wide) {
  const live::Frame& frame = panel.state.frame();
  const bool live = panel.view.standing == "live";
  std::string text = live && frame.over ? "over" : panel.view.standing;
  if (live && frame.cost.held) text = "held";
  if (live && frame.cost.speed > 0) text += fmt::format(" x{:g}", frame.cost.speed);
  if (live && !frame.over) {
    text += fmt::format(" {:.0f}/s", 1 / std::max(core::seconds(frame.cost.interval), 1e-3));
    if (is_wide) text += fmt::format(" for {:.1f} % of a core", 100 * frame.cost.share);
    if (frame.cost.slowed) text += " (slowed)";
  }
  if (frame.cost.by_hand > 0) text = fmt::format("{} by hand, {}", frame.cost.by_hand, text);
  return panel.view.held.empty() ? text : "frozen, " + text;
}

void put_title(TextGrid& grid, const Panel& panel) {
  const live::Frame& frame = panel.state.frame();
  const std::size_t width = grid.size().width;
  const bool is_wide = width >= wide;
  std::string end =
      fmt::format("{:.1f} s{}  {}", core::seconds(frame.now),
                  is_wide ? fmt::format(" emulated, {:.1f} s real", core::seconds(frame.real)) : "",
                  standing_text(panel, is_wide));
  if (width_of(end) + 20 > width) end = shortened(end, width - 20);
  const std::size_t room = width - 2 - width_of(end);
  grid.put(0, 0, shortened(run_text(panel, is_wide), room), Style::strong);
  grid.put_before(width, 0, end, frame.over ? Style::doubtful : Style::plain);
}

// The verdict if the run has ended, else the verdict so far.
std::size_t put_verdict(TextGrid& grid, const Panel& panel) {
  const live::Frame& frame = panel.state.frame();
  const live::RunEnd* end = frame.over ? panel.known.end_of(frame.run.number) : nullptr;
  if (end != nullptr && !end->violations.empty())
    return grid.put(0, 1, fmt::format("{} broken, see 6", end->violations.size()), Style::bad) + 3;
  if (const auto& seen = panel.known.suspicions.all(); !seen.empty())
    return grid.put(0, 1, fmt::format("{} broken so far, see 6", seen.size()), Style::bad) + 3;
  if (end != nullptr)
    return grid.put(0, 1,
                    fmt::format("{}{}", core::name_of(end->ending),
                                end->judged ? ", " + std::string(name_of(end->validity)) : ""),
                    end->judged ? style_of(end->validity) : Style::plain) +
           3;
  if (const auto lost = std::ranges::count_if(frame.cost.processes, &live::ProcessSeen::lost))
    return grid.put(0, 1, fmt::format("invalid, {} process{} lost", lost, lost == 1 ? "" : "es"),
                    style_of(Level::invalid)) +
           3;
  if (frame.run.engine != "threads") return 0;
  const Level level = live::verdict_so_far(frame.totals);
  const live::Plan* plan = panel.known.plan_of_run();
  std::string text = fmt::format("{} so far, {:.1f} % late", scenarios::name_of(level),
                                 100 * live::late_share(frame.totals));
  if (plan != nullptr)
    text += fmt::format(" ({})", scenarios::duration_text(plan->foreseen.lag_tolerance));
  return grid.put(0, 1, text, style_of(level)) + 3;
}

std::string faults_text(const live::Plan& plan, core::Time now, bool is_wide) {
  std::size_t before = 0;
  std::size_t to_come = 0;
  const auto count = [&](core::Time at) { ++(at <= now ? before : to_come); };
  for (const core::Fault& fault : plan.foreseen.faults)
    if (core::ends_life(fault.kind)) count(fault.at);
  for (const core::Parting& parting : plan.foreseen.partings) count(parting.from);
  if (before + to_come == 0) return "";
  return is_wide && to_come > 0 ? fmt::format("faults {} ({} to come)   ", before, to_come)
                                : fmt::format("faults {}   ", before);
}

// The second line: whether the run keeps up, and how many peers are alive.
void put_standing(TextGrid& grid, const Panel& panel) {
  const live::Frame& frame = panel.state.frame();
  const bool is_wide = grid.size().width >= wide;
  const double real = core::seconds(frame.real);
  const live::Plan* plan = panel.known.plan_of_run();
  const std::size_t column = put_verdict(grid, panel);
  std::string text = fmt::format("peers {}/{}   ", frame.totals.alive, frame.run.peers);
  const auto silent = std::count_if(
      panel.state.rows().begin(), panel.state.rows().end(),
      [&frame](const live::Row& row) { return live::is_silent(row, frame.cost.processes); });
  if (silent > 0) text += fmt::format("silent {}   ", silent);
  if (plan != nullptr) text += faults_text(*plan, frame.now, is_wide);
  text += fmt::format("dropped {}   ", sum(frame.totals.dropped));
  const std::string speed = fmt::format("x{:.2f}", real > 0 ? core::seconds(frame.now) / real : 0);
  // A speed that does not fit is omitted, because cutting it would show a different number.
  if (column + width_of(text + speed) <= grid.size().width) text += speed;
  grid.put(column, 1, text);
}

// The third line: the share of the tasks that is done, or for an open run the share of its time.
void put_progress(TextGrid& grid, const Panel& panel) {
  const live::Frame& frame = panel.state.frame();
  const live::TaskCounts& tasks = frame.totals.tasks;
  const bool open = frame.run.length.open_for > core::Duration::zero();
  const std::uint64_t all = std::max(frame.run.tasks.value_or(0), tasks.submitted);
  const double share = open ? core::seconds(frame.now) / core::seconds(frame.run.length.open_for)
                            : static_cast<double>(tasks.completed) /
                                  static_cast<double>(std::max<std::uint64_t>(all, 1));
  const std::string text =
      (open ? fmt::format("of {:.4g} s  {} done  ", core::seconds(frame.run.length.open_for),
                          tasks.completed)
            : fmt::format("{}/{}  ", tasks.completed, all)) +
      fmt::format("{} run  {} wait  {} again", frame.totals.running, tasks.waiting, tasks.reissued);
  const std::size_t width = grid.size().width;
  const std::size_t room = width - std::min(width, 8 + width_of(text));
  std::size_t column = grid.put(0, 2, open ? "time " : "tasks ");
  column =
      grid.put(column, 2, bar(share, std::clamp<std::size_t>(room, 5, 100), panel.view.script));
  grid.put(column + 1, 2, text);
}

}  // namespace

std::size_t put_header(TextGrid& grid, const Panel& panel) {
  put_title(grid, panel);
  put_standing(grid, panel);
  put_progress(grid, panel);
  return 3;
}

}  // namespace rhizome::tools
