#include "tools/monitor/panels.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/live/fact_kinds.hpp"
#include "scenarios/live/plain_text.hpp"
#include "scenarios/live/verdict.hpp"
#include "scenarios/outcome/fact_text.hpp"
#include "scenarios/outcome/validity.hpp"

namespace rhizome::tools {

namespace live = scenarios::live;
using core::PeerId;
using live::Column;
using live::Row;

namespace {

// "17", "1.2 k", "3.4 M": four characters or five.
std::string short_number(double number) {
  if (number < 99.95) return fmt::format("{:.1f}", number);
  if (number < 9999.5) return fmt::format("{:.0f}", number);
  return number < 9.995e6 ? fmt::format("{:.0f}k", number / 1e3)
                          : fmt::format("{:.0f}M", number / 1e6);
}

std::string name_of(PeerId peer) {
  return peer == core::nobody ? "nobody" : "#" + std::to_string(peer.value);
}

std::uint64_t sum(const core::DropCounts& dropped) {
  return std::accumulate(dropped.begin(), dropped.end(), std::uint64_t{0});
}

// The first line.
void put_title(Grid& grid, const Panel& panel) {
  const live::Frame& frame = panel.state.frame();
  const live::RunTitle& run = frame.run;
  std::string text = fmt::format("rhizome  {} {}/{}  {} #{}", run.scenario, run.number + 1,
                                 panel.welcome.runs, run.label, run.repetition + 1);
  text +=
      run.engine == "threads" ? fmt::format("  threads x{:g}", run.time_scale) : "  " + run.engine;
  if (!run.cell.empty()) text += "  " + run.cell;
  const bool live = panel.view.standing == "live";
  std::string end = live && frame.over ? "over" : panel.view.standing;
  if (live && frame.cost.held) end = "held";
  if (!panel.view.held.empty()) end = "frozen, " + end;
  if (live && !frame.over)
    end += fmt::format(" {:.0f}/s{}", 1 / std::max(core::seconds(frame.cost.interval), 1e-3),
                       frame.cost.slowed ? " (slowed)" : "");
  end = fmt::format("{:.1f} s  {}", core::seconds(frame.now), end);
  const std::size_t width = grid.size().width;
  if (width_of(text) + 2 + width_of(end) > width) text.resize(width - 2 - width_of(end));
  grid.put(0, 0, text, Style::strong);
  grid.put_before(width, 0, end, frame.over ? Style::doubtful : Style::plain);
}

Style style_of(scenarios::Validity::Level level) {
  using Level = scenarios::Validity::Level;
  if (level == Level::valid) return Style::good;
  return level == Level::suspect ? Style::doubtful : Style::bad;
}

// The second: whether it keeps up, and who is there.
void put_health(Grid& grid, const Panel& panel) {
  const live::Frame& frame = panel.state.frame();
  std::size_t column = 0;
  if (frame.run.engine == "threads") {
    const auto level = live::verdict_so_far(frame.totals);
    column = grid.put(0, 1,
                      fmt::format("{} so far, {:.1f} % late", scenarios::name_of(level),
                                  100 * live::late_share(frame.totals)),
                      style_of(level)) +
             3;
  }
  const double real = core::seconds(frame.real);
  grid.put(column, 1,
           fmt::format("peers {}/{}   dropped {}   x{:.2f}", frame.totals.alive, frame.run.peers,
                       sum(frame.totals.dropped), real > 0 ? core::seconds(frame.now) / real : 0));
}

// The third: how much of the work is done, or of the time where nobody knows the work.
void put_progress(Grid& grid, const Panel& panel) {
  const live::Frame& frame = panel.state.frame();
  const live::TaskCounts& tasks = frame.totals.tasks;
  const std::uint64_t begun = std::max(tasks.started, tasks.executed) - tasks.executed;
  const std::uint64_t waiting = std::max(tasks.submitted, tasks.started) - tasks.started;
  std::string text = fmt::format("{} run  {} wait  {} again", begun, waiting, tasks.reissued);
  double share = 0;
  if (frame.run.open_for > core::Duration::zero()) {
    share = core::seconds(frame.now) / core::seconds(frame.run.open_for);
    text = fmt::format("of {:g} s  {} done  ", core::seconds(frame.run.open_for), tasks.completed) +
           text;
  } else {
    const std::uint64_t all = std::max(frame.run.tasks.value_or(0), tasks.submitted);
    share = all == 0 ? 0 : static_cast<double>(tasks.completed) / static_cast<double>(all);
    text = fmt::format("{}/{}  ", tasks.completed, all) + text;
  }
  const std::size_t width = grid.size().width;
  const std::size_t room = width - std::min(width, 8 + width_of(text));
  std::size_t column =
      grid.put(0, 2, frame.run.open_for > core::Duration::zero() ? "time " : "tasks ");
  column = grid.put(column, 2, bar(share, std::clamp<std::size_t>(room, 5, 60), panel.view.script));
  grid.put(column + 1, 2, text);
}

// Messages of a class in a second, in each of so many equal stretches of what is known.
std::vector<double> rates_over(const std::deque<live::Moment>& moments, std::size_t kind,
                               std::size_t stretches, double span) {
  std::vector<double> rates;
  if (moments.size() < 2) return std::vector<double>(stretches, 0);
  const double end = core::seconds(moments.back().at);
  const auto sent_at = [&](double time) {
    const auto after = std::lower_bound(
        moments.begin(), moments.end(), time,
        [](const live::Moment& moment, double at) { return core::seconds(moment.at) < at; });
    if (after == moments.begin()) return static_cast<double>(moments.front().sent[kind]);
    if (after == moments.end()) return static_cast<double>(moments.back().sent[kind]);
    const live::Moment& before = *std::prev(after);
    const double share = (time - core::seconds(before.at)) / core::seconds(after->at - before.at);
    return static_cast<double>(before.sent[kind]) +
           share *
               (static_cast<double>(after->sent[kind]) - static_cast<double>(before.sent[kind]));
  };
  const double step = span / static_cast<double>(stretches);
  for (std::size_t i = 0; i < stretches; ++i) {
    const double from = end - span + step * static_cast<double>(i);
    rates.push_back(std::max(0.0, (sent_at(from + step) - sent_at(from)) / step));
  }
  return rates;
}

// What is burdened: all that a peer sends and receives in a second.
double burden(const live::State& state, PeerId peer) {
  return state.rate(peer).sent + state.rate(peer).received;
}

// Above 0, and above half, nine in ten and 99 in 100 of those above 0.
std::array<double, shades> shade_bounds(std::vector<double> burdens) {
  std::erase_if(burdens, [](double each) { return each <= 0; });
  std::sort(burdens.begin(), burdens.end());
  const auto quantile = [&](double share) {
    if (burdens.empty()) return 0.0;
    return burdens[static_cast<std::size_t>(share * static_cast<double>(burdens.size() - 1))];
  };
  return {0, quantile(0.5), quantile(0.9), quantile(0.99)};
}

}  // namespace

std::size_t put_header(Grid& grid, const Panel& panel) {
  put_title(grid, panel);
  put_health(grid, panel);
  put_progress(grid, panel);
  return 3;
}

std::size_t put_messages(Grid& grid, const Panel& panel, std::size_t line) {
  constexpr std::size_t begin = 29;
  const std::size_t width = grid.size().width;
  const std::size_t cells = width - begin - 8;
  const auto& moments = panel.state.moments();
  const double now = core::seconds(panel.state.frame().now);
  const double known = moments.empty() ? 0 : now - core::seconds(moments.front().at);
  grid.put(0, line, "messages/s    now   mean", Style::faint);
  grid.put(begin, line, fmt::format("the last {:.3g} s", known), Style::faint);
  grid.put_before(width, line++, "max", Style::faint);
  for (const core::MessageClass kind :
       {core::MessageClass::job, core::MessageClass::result, core::MessageClass::information}) {
    const auto index = static_cast<std::size_t>(kind);
    const std::vector<double> rates =
        known > 0 ? rates_over(moments, index, cells, known) : std::vector<double>(cells, 0);
    const double mean =
        now > 0 ? static_cast<double>(panel.state.frame().totals.sent[index]) / now : 0;
    grid.put(1, line, core::name_of(kind));
    grid.put_before(17, line, short_number(rates.back()));
    grid.put_before(24, line, short_number(mean));
    grid.put(begin, line, spark_line(rates, panel.view.script));
    grid.put_before(width, line++, short_number(*std::max_element(rates.begin(), rates.end())));
  }
  return line;
}

std::size_t put_burden(Grid& grid, const Panel& panel, std::size_t line, std::size_t most) {
  const live::State& state = panel.state;
  const std::size_t width = grid.size().width - 2;
  const std::size_t peers = state.rows().size();
  const std::size_t each = std::max<std::size_t>(1, (peers + width * most - 1) / (width * most));
  std::vector<double> burdens;
  for (std::uint32_t i = 0; i < peers; ++i) burdens.push_back(burden(state, {i}));
  const auto bounds = shade_bounds(burdens);
  std::size_t column = grid.put(0, line, "burden, messages/s  ", Style::faint);
  for (std::size_t i = 0; i < shades; ++i)
    column = grid.put(column, line,
                      fmt::format(" {} >{}", shade_mark(i, panel.view.script),
                                  i == 0 ? "0" : short_number(bounds[i])));
  if (each > 1) grid.put(column, line, fmt::format("   a mark is the busiest of {}", each));
  ++line;
  std::size_t cell = 0;
  for (std::size_t first = 0; first < peers; first += each, ++cell) {
    const std::size_t end = std::min(first + each, peers);
    bool down = true;
    double busiest = 0;
    for (std::size_t i = first; i < end; ++i) {
      down = down && !live::is_alive(state.rows()[i]);
      busiest = std::max(busiest, burdens[i]);
    }
    grid.put(1 + cell % width, line + cell / width,
             down ? "x" : shade(busiest, bounds, panel.view.script),
             down ? Style::bad : Style::plain);
  }
  return line + (cell + width - 1) / width;
}

void put_peers(Grid& grid, const Panel& panel, std::size_t line, std::size_t end) {
  if (line >= end) return;
  const live::State& state = panel.state;
  constexpr std::array<std::string_view, 6> order{"sent/s",  "recv/s", "inbox",
                                                  "running", "late",   "peer"};
  grid.put(0, line,
           fmt::format("{:<10}{:>9}{:>9}{:>7}{:>5}{:>9}{:>10}{:>8}{:>6}", "peer", "sent/s",
                       "recv/s", "inbox", "run", "above", "job msgs", "late", "life"),
           Style::faint);
  const std::string by = fmt::format("by {}", order[static_cast<std::size_t>(panel.view.order)]);
  if (grid.size().width > 76 + by.size())
    grid.put_before(grid.size().width, line, by, Style::faint);
  ++line;
  const std::vector<PeerId> peers = panel.view.held.size() == state.rows().size()
                                        ? panel.view.held
                                        : ordered_peers(state, panel.view.order);
  for (std::size_t i = panel.view.tab == Tab::peers ? panel.view.first : 0;
       i < peers.size() && line < end; ++i, ++line) {
    const Row& row = state.rows()[peers[i].value];
    const PeerId above = live::above_of(row);
    grid.put(0, line,
             fmt::format("{:<10}{:>9.1f}{:>9.1f}{:>7}{:>5}{:>9}{:>10}{:>8}{:>6}",
                         name_of(peers[i]) + (live::is_alive(row) ? "" : " x"),
                         state.rate(peers[i]).sent, state.rate(peers[i]).received,
                         live::of(row, Column::inbox), live::of(row, Column::running),
                         above == core::nobody ? "-" : name_of(above), live::of(row, Column::job),
                         live::of(row, Column::late), live::life_of(row).value));
    if (!live::is_alive(row)) grid.mark(line, Style::bad);
  }
}

namespace {

template <class Value>
std::string value_text(const Value& value) {
  if constexpr (std::is_same_v<Value, PeerId>)
    return name_of(value);
  else
    return live::plain_text(scenarios::text_of(value));
}

// " 12.381  #44   parent-changed   root #0, parent #17, former #9, reason promotion".
std::string event_line(const live::LiveFact& fact, const live::Welcome& welcome) {
  const std::string kind =
      fact.kind < welcome.fact_kinds.size() ? welcome.fact_kinds[fact.kind] : "unknown";
  std::string line =
      fmt::format("{:>9.3f}  {:<7} {:<16} ", core::seconds(fact.at), name_of(fact.peer), kind);
  live::visit_fact(kind, fact.payload, [&line]<class F>(const F& known) {
    const auto names = core::fields_of(F::info);
    std::size_t next = 0;
    const auto add = [&](const auto& value) {
      line += fmt::format("{}{} {}", next == 0 ? "" : ", ", names[next], value_text(value));
      ++next;
    };
    std::apply([&add](const auto&... value) { (add(value), ...); }, core::values_of(known));
  });
  return line;
}

}  // namespace

void put_events(Grid& grid, const Panel& panel, std::size_t line, std::size_t end) {
  if (line >= end) return;
  const auto& facts = panel.state.facts();
  const std::uint64_t missed = panel.state.missed();
  grid.put(0, line, "events, the latest first", Style::faint);
  grid.put_before(grid.size().width, line,
                  missed == 0 ? "none missed" : fmt::format("{} missed", missed), Style::faint);
  ++line;
  const std::size_t skipped = panel.view.tab == Tab::events ? panel.view.first : 0;
  for (std::size_t i = skipped; i < facts.size() && line < end; ++i, ++line)
    grid.put(0, line, event_line(facts[facts.size() - 1 - i], panel.welcome));
}

}  // namespace rhizome::tools
