// Health: lateness, queues, dropped packets, broken invariants, and faults.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/outcome/validity.hpp"
#include "tools/monitor/panels/panel.hpp"

namespace rhizome::tools {

namespace live = scenarios::live;
using core::PeerId;

namespace {

double percent(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
}

void put_pair(TextGrid& grid, std::size_t line, std::string_view name, const std::string& value,
              Style style = Style::plain) {
  grid.put(0, line, name, Style::faint);
  grid.put(14, line, shortened(value, grid.size().width - 14), style);
}

std::size_t put_late(TextGrid& grid, const live::Frame& frame, std::size_t line) {
  constexpr std::array<std::string_view, core::Vitals::measures> names{"packets", "timers", "work",
                                                                       "handlers"};
  if (frame.run.engine != "threads") {
    put_pair(grid, line++, "late", "nothing is, in virtual time");
    return line;
  }
  put_pair(grid, line++, "late", fmt::format("{:>12} {:>9} {:>11}", "of", "late", "very late"));
  for (std::size_t i = 0; i < names.size(); ++i) {
    const live::Lateness& each = frame.totals.lateness[i];
    put_pair(grid, line++, fmt::format("  {}", names[i]),
             fmt::format("{:>12} {:>7.2f} % {:>9.2f} %", each.seen, percent(each.late, each.seen),
                         percent(each.very_late, each.seen)),
             100 * each.late > each.seen ? Style::doubtful : Style::plain);
  }
  return line;
}

std::string inbox_text(const live::State& state) {
  std::vector<std::uint64_t> depths;
  PeerId fullest{0};
  for (std::uint32_t i = 0; i < state.rows().size(); ++i) {
    depths.push_back(live::of(state.rows()[i], live::Column::inbox));
    if (depths[i] > depths[fullest.value]) fullest = {i};
  }
  if (depths.empty()) return "nobody is there";
  const std::uint64_t most = depths[fullest.value];
  std::sort(depths.begin(), depths.end());
  const auto at = [&](double share) {
    return depths[static_cast<std::size_t>(share * static_cast<double>(depths.size() - 1))];
  };
  return fmt::format("most {} ({}), 99 of 100 at most {}, half at most {}", most, name_of(fullest),
                     at(0.99), at(0.5));
}

std::string dropped_text(const core::DropCounts& dropped) {
  std::string text;
  for (std::size_t i = 0; i < dropped.size(); ++i)
    if (dropped[i] > 0)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", dropped[i],
                          core::name_of(static_cast<core::Drop>(i)));
  return text.empty() ? "none" : text;
}

std::int64_t in_flight(const live::Totals& totals) {
  const std::uint64_t sent =
      std::accumulate(totals.sent.begin(), totals.sent.end(), totals.duplicated);
  const std::uint64_t gone =
      std::accumulate(totals.dropped.begin(), totals.dropped.end(), totals.received);
  return static_cast<std::int64_t>(sent) - static_cast<std::int64_t>(gone);
}

std::string watching_text(const live::Frame& frame) {
  return fmt::format("{:.2f} % of a core, a frame each {:.0f} ms{}", 100 * frame.cost.share,
                     1e3 * core::seconds(frame.cost.interval),
                     frame.cost.slowed ? ": fewer than it could be, to keep that low" : "");
}

struct PeersUp {
  std::uint32_t up = 0;
  std::uint32_t all = 0;
};

std::vector<PeersUp> peers_by_process(const live::State& state, std::size_t processes) {
  std::vector<PeersUp> peers(processes);
  for (const live::Row& row : state.rows()) {
    const std::uint64_t place = live::of(row, live::Column::process);
    if (place >= processes) continue;
    ++peers[place].all;
    peers[place].up += live::is_alive(row) ? 1 : 0;
  }
  return peers;
}

// One line for each process of a distributed run: where there is no room for all, the lost and the
// silent ones first, and how many are left out.
void put_processes(TextGrid& grid, const live::State& state, std::size_t line, std::size_t end) {
  const std::vector<live::ProcessSeen>& processes = state.frame().cost.processes;
  const std::vector<PeersUp> peers = peers_by_process(state, processes.size());
  std::vector<std::size_t> order(processes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto weight = [&](std::size_t i) {
    return processes[i].lost ? 2 : processes[i].silent ? 1 : 0;
  };
  if (line + order.size() > end)
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return weight(a) > weight(b); });
  for (std::size_t n = 0; n < order.size() && line < end; ++n, ++line) {
    const std::size_t left = order.size() - n;
    const std::string_view name = n == 0 ? "processes" : "";
    if (left > 1 && line + 1 == end) {
      put_pair(grid, line, name,
               n == 0 ? fmt::format("{}", left) : fmt::format("and {} more", left), Style::faint);
      continue;
    }
    const std::size_t i = order[n];
    put_pair(
        grid, line, name,
        fmt::format("{}: {} of {} peers up", process_text(processes[i]), peers[i].up, peers[i].all),
        processes[i].lost     ? Style::bad
        : processes[i].silent ? Style::faint
                              : Style::plain);
  }
}

// The invariants known to be broken, with the peers concerned.
std::vector<std::string> breaches(const Panel& panel) {
  std::vector<std::string> texts;
  for (const live::Suspicion& each : panel.known.suspicions.all())
    texts.push_back(fmt::format("{:.3f} {} {}", core::seconds(each.at),
                                each.peer == core::no_peer ? "" : name_of(each.peer), each.text));
  const live::RunEnd* end = panel.known.end_of(panel.state.frame().run.number);
  if (end != nullptr && panel.state.frame().over)
    texts.insert(texts.end(), end->violations.begin(), end->violations.end());
  return texts;
}

std::string end_of_run(const Panel& panel) {
  const live::RunEnd* end = panel.known.end_of(panel.state.frame().run.number);
  if (end == nullptr || !panel.state.frame().over) return "";
  std::string text(core::name_of(end->ending));
  if (end->judged) text += fmt::format(", {}", scenarios::name_of(end->validity));
  return end->reason.empty() ? text : text + ": " + end->reason;
}

// A fault or a partition, past or planned: exactly one of the two pointers is set.
struct Blow {
  core::Time at{};
  const core::Fault* fault = nullptr;
  const core::Parting* parting = nullptr;
};

// All faults and partitions except restarts, which are told together with the crashes that they
// end.
std::vector<Blow> blows_of(const core::Foreseen& foreseen) {
  std::vector<Blow> blows;
  for (const core::Fault& fault : foreseen.faults)
    if (fault.kind != core::Fault::Kind::restart)
      blows.push_back({.at = fault.at, .fault = &fault});
  for (const core::Parting& parting : foreseen.partings)
    blows.push_back({.at = parting.from, .parting = &parting});
  std::stable_sort(blows.begin(), blows.end(),
                   [](const Blow& a, const Blow& b) { return a.at < b.at; });
  return blows;
}

std::string blow_text(const Blow& blow, const core::Foreseen& foreseen) {
  if (blow.parting != nullptr)
    return fmt::format("{:>8.2f}  {:<6} parted until {:.2f}", core::seconds(blow.at), "all",
                       core::seconds(blow.parting->until));
  const core::Fault& fault = *blow.fault;
  std::string text = fmt::format("{:>8.2f}  {:<6} {}", core::seconds(blow.at), name_of(fault.peer),
                                 core::name_of(fault.kind));
  const auto back =
      std::find_if(foreseen.faults.begin(), foreseen.faults.end(), [&](const core::Fault& each) {
        return each.peer == fault.peer && each.at >= fault.at &&
               each.kind == core::Fault::Kind::restart;
      });
  if (!core::ends_life(fault.kind) || back == foreseen.faults.end()) return text;
  return text + fmt::format(", back at {:.2f}", core::seconds(back->at));
}

}  // namespace

std::size_t put_tasks(TextGrid& grid, const Panel& panel, std::size_t line) {
  const live::TaskCounts& tasks = panel.state.frame().totals.tasks;
  grid.put(0, line++,
           fmt::format("submitted {}  started {}  executed {}  completed {}", tasks.submitted,
                       tasks.started, tasks.executed, tasks.completed));
  grid.put(0, line++,
           fmt::format("jobs done {}   reissued {}   results once more {}", tasks.jobs_completed,
                       tasks.reissued, tasks.duplicate));
  return line;
}

void put_health(TextGrid& grid, const Panel& panel, std::size_t line, std::size_t end) {
  const live::Frame& frame = panel.state.frame();
  if (line + 9 > end) return;
  line = put_late(grid, frame, line);
  put_pair(grid, line++, "inbox", inbox_text(panel.state));
  put_pair(grid, line++, "in flight",
           fmt::format("{} packets", std::max<std::int64_t>(in_flight(frame.totals), 0)));
  put_pair(grid, line++, "dropped", dropped_text(frame.totals.dropped));
  put_pair(grid, line++, "watching", watching_text(frame));
  if (const std::string text = end_of_run(panel); !text.empty() && line < end)
    put_pair(grid, line++, "ended", text);
  const std::vector<std::string> broken = breaches(panel);
  if (line < end)
    put_pair(grid, line++, "broken", broken.empty() ? "nothing that can be seen" : broken.front(),
             broken.empty() ? Style::plain : Style::bad);
  for (std::size_t i = 1; i < broken.size() && line < end; ++i)
    put_pair(grid, line++, "", broken[i], Style::bad);
  put_processes(grid, panel.state, line, end);
}

std::size_t fault_lines(const Panel& panel) {
  const live::Plan* plan = panel.known.plan_of_run();
  return plan == nullptr ? 1 : std::max<std::size_t>(1, blows_of(plan->foreseen).size());
}

void put_faults(TextGrid& grid, const Panel& panel, std::size_t line, std::size_t end) {
  if (line >= end) return;
  const live::Plan* plan = panel.known.plan_of_run();
  if (plan == nullptr || blows_of(plan->foreseen).empty()) {
    grid.put(0, line, plan == nullptr ? "not told" : "none are planned", Style::faint);
    return;
  }
  const std::vector<Blow> blows = blows_of(plan->foreseen);
  const core::Time now = panel.state.frame().now;
  const auto next =
      std::find_if(blows.begin(), blows.end(), [now](const Blow& each) { return each.at > now; });
  for (std::size_t i =
           first_line(static_cast<std::size_t>(next - blows.begin()), blows.size(), end - line);
       i < blows.size() && line < end; ++i) {
    const bool to_come = blows[i].at > now;
    grid.put(0, line++, blow_text(blows[i], plan->foreseen) + (to_come ? ", to come" : ""),
             to_come ? Style::faint : Style::plain);
  }
}

}  // namespace rhizome::tools
