// Peers: the burden of all of them, the table, and one alone.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "tools/monitor/panels/panel.hpp"
#include "tools/monitor/screens.hpp"

namespace rhizome::tools {

namespace live = scenarios::live;
using core::PeerId;
using live::Column;
using live::Row;

namespace {

double quantile_of(const std::vector<double>& ascending, double share) {
  if (ascending.empty()) return 0;
  return ascending[static_cast<std::size_t>(share * static_cast<double>(ascending.size() - 1))];
}

// Ascending.
std::vector<double> burdens_above_none(const live::State& state) {
  std::vector<double> burdens;
  for (std::uint32_t i = 0; i < state.rows().size(); ++i)
    if (const double burden = burden_of(state, {i}); burden > 0) burdens.push_back(burden);
  std::sort(burdens.begin(), burdens.end());
  return burdens;
}

// Above 0, and above half, nine in ten and 99 in 100 of those above 0.
std::array<double, shades> bounds_of(const live::State& state) {
  const std::vector<double> burdens = burdens_above_none(state);
  return {0, quantile_of(burdens, 0.5), quantile_of(burdens, 0.9), quantile_of(burdens, 0.99)};
}

std::string hottest_text(const live::State& state) {
  const std::vector<double> burdens = burdens_above_none(state);
  if (burdens.empty()) return "";
  PeerId hottest{0};
  for (std::uint32_t i = 0; i < state.rows().size(); ++i)
    if (burden_of(state, {i}) > burden_of(state, hottest)) hottest = {i};
  return fmt::format("hottest {}, {}x the median", name_of(hottest),
                     short_number(burdens.back() / quantile_of(burdens, 0.5)));
}

std::string depth_text(const Panel& panel, PeerId peer) {
  const std::uint32_t depth = panel.forest.depth[peer.value];
  return depth == live::Forest::outside ? "-" : std::to_string(depth);
}

bool is_root(const Panel& panel, PeerId peer) { return panel.forest.depth[peer.value] == 0; }

std::string label_of(const Panel& panel, PeerId peer) {
  const char* mark = !live::is_alive(panel.state.rows()[peer.value]) ? " x"
                     : is_root(panel, peer)                          ? " *"
                                                                     : "";
  return name_of(peer) + mark;
}

std::string peer_line(const Panel& panel, PeerId peer) {
  const Row& row = panel.state.rows()[peer.value];
  return fmt::format("{:<8}{:>8.1f}{:>8.1f}{:>7}{:>5}{:>7}{:>10}{:>10}{:>8}{:>6}",
                     label_of(panel, peer), panel.state.rate(peer).sent,
                     panel.state.rate(peer).received, live::of(row, Column::inbox),
                     live::of(row, Column::running), depth_text(panel, peer),
                     panel.forest.children[peer.value].size(), live::of(row, Column::job),
                     live::of(row, Column::late), live::life_of(row).value);
}

std::string order_text(const View& view) {
  constexpr std::array<std::string_view, 6> names{"sent/s",  "recv/s", "inbox",
                                                  "running", "late",   "address"};
  return fmt::format("by {}{}", names[static_cast<std::size_t>(view.order)],
                     view.reversed ? ", last first" : "");
}

// Its row in words, in two columns.
void put_figures(Grid& grid, const Panel& panel, PeerId peer, std::size_t line) {
  const Row& row = panel.state.rows()[peer.value];
  const live::State::Rate rate = panel.state.rate(peer);
  const live::Plan* plan = panel.known.plan_of_run();
  const bool has_speed = plan != nullptr && peer.value < plan->foreseen.speeds.size();
  const PeerId above = live::above_of(row);
  const std::array<std::array<std::string, 4>, 6> lines{{
      {"sent", fmt::format("{:.1f}/s", rate.sent), "received",
       fmt::format("{:.1f}/s", rate.received)},
      {"sent in all",
       fmt::format("{} job, {} result, {} info", live::of(row, Column::job),
                   live::of(row, Column::result), live::of(row, Column::information)),
       "received in all", std::to_string(live::of(row, Column::received))},
      {"bytes sent", short_number(static_cast<double>(live::of(row, Column::sent_bytes))),
       "bytes received", short_number(static_cast<double>(live::of(row, Column::received_bytes)))},
      {"inbox", std::to_string(live::of(row, Column::inbox)), "running",
       std::to_string(live::of(row, Column::running))},
      {"events",
       fmt::format("{}, {} late", live::of(row, Column::events), live::of(row, Column::late)),
       "dropped", std::to_string(live::of(row, Column::dropped))},
      {"above it", above == core::nobody ? "nobody" : name_of(above), "depth",
       fmt::format(
           "{}, {} below{}", depth_text(panel, peer), panel.forest.below[peer.value],
           has_speed ? fmt::format(", speed {:.2f}", plan->foreseen.speeds[peer.value]) : "")},
  }};
  const std::size_t half = std::max<std::size_t>(44, grid.size().width / 2);
  for (const auto& [name, value, other, figure] : lines) {
    grid.put(1, line, name, Style::faint);
    grid.put(14, line, value);
    grid.put(half, line, other, Style::faint);
    grid.put(half + 17, line++, figure);
  }
}

std::string children_text(const Panel& panel, PeerId peer) {
  const std::vector<PeerId>& children = panel.forest.children[peer.value];
  if (children.empty()) return "none";
  std::string text = std::to_string(children.size()) + ":";
  for (const PeerId child : children) text += " " + name_of(child);
  return text;
}

}  // namespace

std::string burden_title(const Panel& panel) {
  const auto bounds = bounds_of(panel.state);
  std::string text = "burden, messages/s  ";
  for (std::size_t i = 0; i < shades; ++i)
    text += fmt::format(" {} >{}", shade_mark(i, panel.view.script),
                        i == 0 ? "0" : short_number(bounds[i]));
  const std::string hottest = hottest_text(panel.state);
  return hottest.empty() ? text : text + "   " + hottest;
}

std::size_t put_burden(Grid& grid, const Panel& panel, std::size_t line, std::size_t most) {
  const live::State& state = panel.state;
  const std::size_t width = grid.size().width - 2;
  const std::size_t peers = state.rows().size();
  const std::size_t each = std::max<std::size_t>(1, (peers + width * most - 1) / (width * most));
  const auto bounds = bounds_of(state);
  std::size_t cell = 0;
  for (std::size_t first = 0; first < peers; first += each, ++cell) {
    bool down = true;
    double busiest = 0;
    for (std::size_t i = first; i < std::min(first + each, peers); ++i) {
      down = down && !live::is_alive(state.rows()[i]);
      busiest = std::max(busiest, burden_of(state, {static_cast<std::uint32_t>(i)}));
    }
    grid.put(1 + cell % width, line + cell / width,
             down ? "x" : shade(busiest, bounds, panel.view.script),
             down ? Style::bad : Style::plain);
  }
  line += (cell + width - 1) / width;
  if (each > 1)
    grid.put(1, line++, fmt::format("a mark is the busiest of {} peers", each), Style::faint);
  return line;
}

std::vector<PeerId> listed_peers(const Panel& panel) {
  if (panel.view.held.size() == panel.state.rows().size()) return panel.view.held;
  return ordered_peers(panel.state, panel.view.order, panel.view.reversed);
}

void put_peers(Grid& grid, const Panel& panel, std::size_t line, std::size_t end) {
  if (line >= end) return;
  grid.put(0, line,
           fmt::format("{:<8}{:>8}{:>8}{:>7}{:>5}{:>7}{:>10}{:>10}{:>8}{:>6}", "peer", "sent/s",
                       "recv/s", "inbox", "run", "depth", "children", "job msgs", "late", "life"),
           Style::faint);
  const std::string by = order_text(panel.view);
  if (grid.size().width > 79 + by.size())
    grid.put_before(grid.size().width, line, by, Style::faint);
  ++line;
  const std::vector<PeerId> peers = listed_peers(panel);
  const bool chooses = panel.view.tab == Tab::peers && panel.view.chosen;
  const auto chosen =
      chooses ? std::find(peers.begin(), peers.end(), *panel.view.chosen) : peers.begin();
  for (std::size_t i =
           first_line(static_cast<std::size_t>(chosen - peers.begin()), peers.size(), end - line);
       i < peers.size() && line < end; ++i, ++line) {
    grid.put(0, line, peer_line(panel, peers[i]));
    if (!live::is_alive(panel.state.rows()[peers[i].value])) grid.mark(line, Style::bad);
    if (chooses && peers[i] == *panel.view.chosen) grid.mark(line, Style::chosen);
  }
}

void put_peer(Grid& grid, const Panel& panel, std::size_t line, std::size_t end) {
  const PeerId peer = *panel.view.chosen;
  const Row& row = panel.state.rows()[peer.value];
  grid.put(0, line++,
           fmt::format("peer {}: {}{}, life {}", name_of(peer), live::is_alive(row) ? "up" : "down",
                       live::has_finished(row) ? ", has finished" : "", live::life_of(row).value),
           Style::strong);
  put_figures(grid, panel, peer, line);
  line += 6;
  grid.put(1, line, "children", Style::faint);
  grid.put(14, line++, shortened(children_text(panel, peer), grid.size().width - 14));
  const bool told = panel.known.story && panel.view.tab == Tab::peers;
  grid.put(0, line, "its events, the latest first", Style::faint);
  grid.put_before(grid.size().width, line++,
                  told && !panel.known.story->whole ? "searching..." : "Enter goes back",
                  Style::faint);
  for (const live::LiveFact& fact : events_of(panel, peer)) {
    if (line >= end) return;
    grid.put(0, line++, event_line(panel, fact));
  }
}

}  // namespace rhizome::tools
