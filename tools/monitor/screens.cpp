#include "tools/monitor/screens.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>

#include "tools/monitor/panels.hpp"

namespace rhizome::tools {

namespace live = scenarios::live;

namespace {

constexpr std::string_view keys =
    "1 all  2 peers  3 events  ? keys  q detach  f freeze  s sort  [ ] run";

void put_help(Grid& grid, std::size_t line) {
  constexpr std::string_view texts[]{
      "1 2 3    all, peers, events",
      "s        peers by the next column: sent, received, inbox, run, late, address",
      "f        freeze the order of peers; charts and figures go on",
      "up down  one line, and with page up and page down a screen",
      "[ ]      the run before, the run after; \\ the newest again",
      "q        detach: the run goes on",
      "",
      "Figures are of emulated time. Dots show messages a second, the tallest most.",
      "Shades show how many messages a peer sends and receives; x is down.",
      "late is what came later than the tolerance: packets, timers, ends of work."};
  for (const std::string_view text : texts) grid.put(1, line++, text);
}

// Of a grid of that height, a list may have so many lines below one.
void put_tab(Grid& grid, const Panel& panel, std::size_t line) {
  const std::size_t end = grid.size().height - 1;
  switch (panel.view.tab) {
    case Tab::all: {
      line = put_messages(grid, panel, line);
      line = put_burden(grid, panel, line, std::max<std::size_t>(2, (end - line) / 6));
      const std::size_t half = line + (end - line + 1) / 2;
      put_peers(grid, panel, line, half);
      put_events(grid, panel, half, end);
      return;
    }
    case Tab::peers:
      put_peers(grid, panel, line, end);
      return;
    case Tab::events:
      put_events(grid, panel, line, end);
      return;
    case Tab::help:
      put_help(grid, line + 1);
  }
}

}  // namespace

Grid screen(const live::State& state, const live::Welcome& welcome, const View& view, Size size) {
  Grid grid(size);
  if (size.width < least_size.width || size.height < least_size.height) {
    grid.put(
        0, 0,
        fmt::format("The monitor needs {} x {} characters.", least_size.width, least_size.height));
    return grid;
  }
  if (state.empty()) {
    grid.put(0, 0,
             "rhizome  " + welcome.scenario + "  waiting for a run to begin: " + view.standing);
  } else {
    const Panel panel{state, welcome, view};
    put_tab(grid, panel, put_header(grid, panel));
  }
  grid.put(0, size.height - 1, keys, Style::faint);
  return grid;
}

std::vector<core::PeerId> ordered_peers(const live::State& state, PeerOrder order) {
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
      case PeerOrder::late:
        return static_cast<double>(live::of(row, live::Column::late));
      case PeerOrder::address:
        break;
    }
    return 0;
  };
  std::vector<core::PeerId> peers;
  for (std::uint32_t i = 0; i < state.rows().size(); ++i) peers.push_back({i});
  std::stable_sort(peers.begin(), peers.end(),
                   [&](core::PeerId a, core::PeerId b) { return key(a) > key(b); });
  return peers;
}

}  // namespace rhizome::tools
