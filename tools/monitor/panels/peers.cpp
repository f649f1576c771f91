// Peers: the burden of all of them, the table, and a single peer.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "tools/monitor/panels/panel.hpp"

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

std::string depth_text(const Panel& panel, PeerId peer) {
  const std::uint32_t depth = panel.forest.depth[peer.value];
  return depth == live::Forest::outside ? "-" : std::to_string(depth);
}

bool is_root(const Panel& panel, PeerId peer) { return panel.forest.depth[peer.value] == 0; }

// Whether the peer has not been heard lately.
bool is_silent(const live::State& state, PeerId peer) {
  return live::is_silent(state.rows()[peer.value], state.frame().cost.processes);
}

std::string label_of(const Panel& panel, PeerId peer) {
  const char* mark = !live::is_alive(panel.state.rows()[peer.value]) ? " x"
                     : is_silent(panel.state, peer)                  ? " ?"
                     : is_root(panel, peer)                          ? " *"
                                                                     : "";
  return name_of(peer) + mark;
}

// Peers that share a mark.
struct Together {
  bool down = true;    // all of them
  bool silent = true;  // all of those that are up
  double busiest = 0;
};
Together together(const live::State& state, std::size_t first, std::size_t end) {
  Together these;
  for (std::size_t i = first; i < end; ++i) {
    const PeerId peer{static_cast<std::uint32_t>(i)};
    const bool up = live::is_alive(state.rows()[i]);
    these.down = these.down && !up;
    these.silent = these.silent && (!up || is_silent(state, peer));
    these.busiest = std::max(these.busiest, burden_of(state, peer));
  }
  return these;
}

// The columns of the table, one beside the other; where there is little room, without job messages
// and lives. A figure too wide for its column takes of the room before the next ones.
constexpr std::size_t room_for_lives = 79;
std::string table_line(std::size_t width, const std::array<std::string, 11>& cells) {
  constexpr std::array<int, 11> roomy{8, 8, 8, 6, 5, 6, 6, 9, 10, 7, 6};
  constexpr std::array<int, 11> tight{8, 8, 8, 6, 4, 5, 6, 9, 0, 5, 0};
  const auto& widths = width >= room_for_lives ? roomy : tight;
  std::string line = fmt::format("{:<{}}", cells[0], widths[0]);
  std::size_t end = static_cast<std::size_t>(widths[0]);
  for (std::size_t i = 1; i < cells.size(); ++i) {
    if (widths[i] == 0) continue;
    end += static_cast<std::size_t>(widths[i]);
    const std::size_t taken = std::min(end - 1, line.size() + cells[i].size());
    line.append(end - taken, ' ').append(cells[i]);
  }
  return line;
}

std::string peer_line(const Panel& panel, PeerId peer, std::size_t width) {
  const Row& row = panel.state.rows()[peer.value];
  const auto figure = [&row](Column column) { return std::to_string(live::of(row, column)); };
  return table_line(width,
                    {label_of(panel, peer), fmt::format("{:.1f}", panel.state.rate(peer).sent),
                     fmt::format("{:.1f}", panel.state.rate(peer).received), figure(Column::inbox),
                     figure(Column::running), figure(Column::waiting), depth_text(panel, peer),
                     std::to_string(panel.forest.children[peer.value].size()), figure(Column::job),
                     figure(Column::late), std::to_string(live::life_of(row).value)});
}

std::string order_text(const View& view) {
  constexpr std::array<std::string_view, 7> names{"sent/s",  "recv/s", "inbox",  "running",
                                                  "waiting", "late",   "address"};
  return fmt::format("by {}{}", names[static_cast<std::size_t>(view.order)],
                     view.reversed ? ", last first" : "");
}

// Writes a peer's row in words, in two columns.
void put_figures(TextGrid& grid, const Panel& panel, PeerId peer, std::size_t line) {
  const Row& row = panel.state.rows()[peer.value];
  const live::State::Rate rate = panel.state.rate(peer);
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
       fmt::format("{}, {} waiting", live::of(row, Column::running),
                   live::of(row, Column::waiting))},
      {"events",
       fmt::format("{}, {} late", live::of(row, Column::events), live::of(row, Column::late)),
       "dropped", std::to_string(live::of(row, Column::dropped))},
      {"above it", above == core::no_peer ? "nobody" : name_of(above), "depth",
       fmt::format("{}, {} below", depth_text(panel, peer), panel.forest.below[peer.value])},
  }};
  const std::size_t half = std::max<std::size_t>(44, grid.size().width / 2);
  for (const auto& [name, value, other, figure] : lines) {
    grid.put(1, line, name, Style::faint);
    grid.put(14, line, value);
    grid.put(half, line, other, Style::faint);
    grid.put(half + 17, line++, figure);
  }
}

std::string speed_text(const Panel& panel, PeerId peer) {
  const live::Plan* plan = panel.known.plan_of_run();
  const bool is_known = plan != nullptr && peer.value < plan->foreseen.speeds.size();
  return is_known ? fmt::format(", speed {:.2f}", plan->foreseen.speeds[peer.value]) : "";
}

std::string place_text(const Panel& panel, PeerId peer) {
  const live::ProcessSeen* process =
      live::process_of(panel.state.rows()[peer.value], panel.state.frame().cost.processes);
  return process == nullptr ? "" : ", in " + process_text(*process);
}

std::string children_text(const Panel& panel, PeerId peer) {
  const std::vector<PeerId>& children = panel.forest.children[peer.value];
  if (children.empty()) return "none";
  std::string text = std::to_string(children.size()) + ":";
  for (const PeerId child : children) text += " " + name_of(child);
  return text;
}

// The peers that it knows in each overlay, and how many know it: one line for each overlay with
// any.
std::size_t put_views(TextGrid& grid, const Panel& panel, PeerId peer, std::size_t line) {
  const auto& views = panel.state.views();
  if (!views) return line;
  for (std::size_t i = 0; i < core::view_kinds; ++i) {
    const auto kind = static_cast<core::ViewKind>(i);
    const std::vector<PeerId>& view = views->of(peer, kind);
    const std::size_t known_by = views->in_degree(peer, kind);
    if (view.empty() && known_by == 0) continue;
    std::string text = fmt::format("known by {}, knows {}:", known_by, view.size());
    for (const PeerId link : view) text += " " + name_of(link);
    grid.put(1, line, std::string(core::name_of(kind)) + " links", Style::faint);
    grid.put(15, line++, shortened(text, grid.size().width - 15));
  }
  return line;
}

// The end of what its program wrote to standard error.
std::size_t put_said(TextGrid& grid, const Panel& panel, std::size_t line) {
  if (!panel.view.said.empty()) grid.put(0, line++, "standard error of its program", Style::faint);
  for (const std::string& said : panel.view.said)
    grid.put(1, line++, shortened(said, grid.size().width - 1));
  return line;
}

}  // namespace

std::string burden_title(const Panel& panel) {
  const auto bounds = bounds_of(panel.state);
  const auto bound_text = [&](std::size_t i) {
    return i == 0 ? std::string("0") : short_number(bounds[i]);
  };
  std::string text = "burden, messages/s  ";
  for (std::size_t i = 0; i < shades; ++i)  // of equal bounds the last has the mark
    if (i + 1 == shades || bound_text(i) != bound_text(i + 1))
      text += fmt::format(" {} >{}", shade_mark(i, panel.view.script), bound_text(i));
  return text;
}

std::string hottest_text(const Panel& panel) {
  const live::State& state = panel.state;
  const std::vector<double> burdens = burdens_above_none(state);
  if (burdens.empty()) return "";
  PeerId hottest{0};
  for (std::uint32_t i = 0; i < state.rows().size(); ++i)
    if (burden_of(state, {i}) > burden_of(state, hottest)) hottest = {i};
  return fmt::format("hottest {}, {}x the median", name_of(hottest),
                     short_number(burdens.back() / quantile_of(burdens, 0.5)));
}

std::size_t put_burden(TextGrid& grid, const Panel& panel, std::size_t line, std::size_t most) {
  const live::State& state = panel.state;
  const std::size_t width = grid.size().width - 2;
  const std::size_t peers = state.rows().size();
  const std::size_t each = std::max<std::size_t>(1, (peers + width * most - 1) / (width * most));
  const auto bounds = bounds_of(state);
  std::size_t cell = 0;
  for (std::size_t first = 0; first < peers; first += each, ++cell) {
    const Together these = together(state, first, std::min(first + each, peers));
    const bool shown = !these.down && !these.silent;
    grid.put(1 + cell % width, line + cell / width,
             shown        ? shade(these.busiest, bounds, panel.view.script)
             : these.down ? "x"
                          : "?",
             shown        ? Style::plain
             : these.down ? Style::bad
                          : Style::faint);
  }
  line += (cell + width - 1) / width;
  if (each > 1)
    grid.put(1, line++, fmt::format("a mark is the busiest of {} peers", each), Style::faint);
  return line;
}

std::vector<core::PeerId> ordered_peers(const live::State& state, PeerOrder order, bool reversed) {
  const auto key = [&](core::PeerId peer) -> double {
    const live::Row& row = state.rows()[peer.value];
    switch (order) {
      case PeerOrder::sent:
        return state.rate(peer).sent;
      case PeerOrder::received:
        return state.rate(peer).received;
      case PeerOrder::inbox:
        return static_cast<double>(live::of(row, live::Column::inbox));
      case PeerOrder::running:
        return static_cast<double>(live::of(row, live::Column::running));
      case PeerOrder::waiting:
        return static_cast<double>(live::of(row, live::Column::waiting));
      case PeerOrder::late:
        return static_cast<double>(live::of(row, live::Column::late));
      case PeerOrder::address:
        break;
    }
    return -static_cast<double>(peer.value);
  };
  std::vector<core::PeerId> peers;
  for (std::uint32_t i = 0; i < state.rows().size(); ++i) peers.push_back({i});
  std::stable_sort(peers.begin(), peers.end(), [&](core::PeerId a, core::PeerId b) {
    return reversed ? key(a) < key(b) : key(a) > key(b);
  });
  return peers;
}

std::vector<PeerId> listed_peers(const Panel& panel) {
  if (panel.view.held.size() == panel.state.rows().size()) return panel.view.held;
  return ordered_peers(panel.state, panel.view.order, panel.view.reversed);
}

void put_peers(TextGrid& grid, const Panel& panel, std::size_t line, std::size_t end) {
  if (line >= end) return;
  grid.put(0, line,
           table_line(grid.size().width, {"peer", "sent/s", "recv/s", "inbox", "run", "wait",
                                          "depth", "children", "job msgs", "late", "life"}),
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
    grid.put(0, line, peer_line(panel, peers[i], grid.size().width));
    if (is_silent(panel.state, peers[i])) grid.mark(line, Style::faint);
    if (!live::is_alive(panel.state.rows()[peers[i].value])) grid.mark(line, Style::bad);
    if (chooses && peers[i] == *panel.view.chosen) grid.mark(line, Style::chosen);
  }
}

void put_peer(TextGrid& grid, const Panel& panel, std::size_t line, std::size_t end) {
  const PeerId peer = *panel.view.chosen;
  const Row& row = panel.state.rows()[peer.value];
  grid.put(
      0, line++,
      fmt::format("peer {}: {}{}, life {}{}{}", name_of(peer), live::is_alive(row) ? "up" : "down",
                  live::has_finished(row) ? ", has finished" : "", live::life_of(row).value,
                  speed_text(panel, peer), place_text(panel, peer)),
      Style::strong);
  put_figures(grid, panel, peer, line);
  line += 6;
  grid.put(1, line, "children", Style::faint);
  grid.put(14, line++, shortened(children_text(panel, peer), grid.size().width - 14));
  line = put_views(grid, panel, peer, line);
  line = put_said(grid, panel, line);
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
