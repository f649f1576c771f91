#include "tools/monitor/screens.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "tools/monitor/panels/boxes.hpp"

namespace rhizome::tools {

namespace live = scenarios::live;

namespace {

void put_help(TextGrid& grid, std::size_t line, std::size_t end, std::size_t first) {
  constexpr std::string_view texts[]{
      "1 to 7      all, tree, peers, events, one task, health, runs; ? these keys",
      "up, down    choose a line; page up and page down a screen at a time",
      "Enter       opens a peer, unfolds a part of the tree, turns to a run",
      "s  S        peers by the next column; the other way round",
      "o  m        tree: order by burden, size, speed or moves; who moved lately",
      "/           filter of events: name~parent or peer=17; also task=112.3, reason~x",
      "t           follow a task, by job and portion, as 112.3",
      "f           freeze order and selection; charts and figures go on",
      "[  ]  \\     the run before, the run after, the newest again",
      "left right  a second back, a second on; < and > a frame; Home first, End live",
      "p  + -      of a recording: pause, faster, slower",
      "x           a fault of the chosen peer, in a run with --control: one more key",
      "Esc  q      back; detach: the run goes on",
      "",
      "Figures are of emulated time. Dots show messages a second, the tallest most.",
      "Shades show how many messages a peer sends and receives; x is down, * a root.",
      "late is what came later than the tolerance: packets, timers, ends of work.",
      "missed are events that came faster than they were fetched; counts have them."};
  for (std::size_t i = first; i < std::size(texts) && line < end; ++i)
    grid.put(1, line++, texts[i]);
}

void put_title(TextGrid& grid, std::size_t line, const std::string& title) {
  grid.put(0, line, shortened(title, grid.size().width), Style::faint);
}

// Tab 1 where there is little room.
void put_all(TextGrid& grid, const Panel& panel, std::size_t line, std::size_t end) {
  line = put_messages(grid, panel, line);
  put_title(grid, line++, burden_title(panel) + "   " + hottest_text(panel));
  line = put_burden(grid, panel, line, std::max<std::size_t>(2, (end - line) / 6));
  const std::size_t half = line + (end - line + 1) / 2;
  put_peers(grid, panel, line, half);
  if (half < end) put_title(grid, half, events_title(panel));
  put_events(grid, panel, half + 1, end);
}

// Tab 1 with room for all at once.
void put_all_wide(TextGrid& grid, const Panel& panel, std::size_t line, std::size_t end) {
  const std::size_t left = std::max<std::size_t>(grid.size().width * 2 / 5, 60);
  const std::size_t height = end - line;
  const auto whole = [&panel](auto put) {
    return [&panel, put](TextGrid& inside) { put(inside, panel, 0, inside.size().height); };
  };
  const Script script = panel.view.script;
  put_boxes(
      grid, 0, line, {left, height},
      {{"messages a second", 9, [&](TextGrid& inside) { put_tall_messages(inside, panel, 0); }},
       {burden_title(panel), 3, [&](TextGrid& inside) { put_burden(inside, panel, 0, 2); }},
       {"top peers, " + hottest_text(panel), height - 32, whole(put_peers)},
       {"tasks", 2, [&](TextGrid& inside) { put_tasks(inside, panel, 0); }},
       {"health", 10, whole(put_health)},
       {"faults", 3, whole(put_faults)}},
      script);
  const std::size_t tree = (height - 4) / 2;
  put_boxes(grid, left, line, {grid.size().width - left, height},
            {{tree_title(panel), tree, whole(put_tree)},
             {events_title(panel), (height - tree) / 2, whole(put_events)},
             {task_title(panel), 6, whole(put_task)}},
            script);
}

void put_health_tab(TextGrid& grid, const Panel& panel, std::size_t line, std::size_t end) {
  line = put_tasks(grid, panel, line);
  const std::size_t of_faults = std::min(fault_lines(panel) + 1, (end - line) / 3);
  const std::size_t faults = std::max(end - of_faults, line + 9);
  put_health(grid, panel, line, faults);
  if (faults < end) put_title(grid, faults, "faults");
  put_faults(grid, panel, faults + 1, end);
}

void put_tab(TextGrid& grid, const Panel& panel, std::size_t line) {
  const std::size_t end = grid.size().height - 1;
  const bool wide = grid.size().width >= wide_size.width && grid.size().height >= wide_size.height;
  switch (panel.view.tab) {
    case Tab::all:
      return (wide ? put_all_wide : put_all)(grid, panel, line, end);
    case Tab::tree:
      put_title(grid, line, tree_title(panel));
      return put_tree(grid, panel, line + 1, end);
    case Tab::peers:
      return (panel.view.opened && panel.view.chosen ? put_peer : put_peers)(grid, panel, line,
                                                                             end);
    case Tab::events:
      put_title(grid, line, events_title(panel));
      return put_events(grid, panel, line + 1, end);
    case Tab::task:
      put_title(grid, line, task_title(panel));
      return put_task(grid, panel, line + 1, end);
    case Tab::health:
      return put_health_tab(grid, panel, line, end);
    case Tab::runs:
      return put_runs(grid, panel, line, end);
    case Tab::help:
      return put_help(grid, line, end, panel.view.first);
  }
}

std::string keys_text(const View& view, std::size_t width) {
  switch (view.typing) {
    case View::Typing::filter:
      return "events with: " + view.typed + "_   (" +
             (view.notice.empty() ? "Enter takes it, Esc leaves it as it was" : view.notice) + ")";
    case View::Typing::task:
      return "follow task: " + view.typed + "_   (job and portion, as 112.3; Esc leaves)";
    case View::Typing::fault:
      return (view.chosen ? "#" + std::to_string(view.chosen->value) : "no peer") +
             ": c crash  l leave  r restart  o cut off   h heals the cut   Esc leaves";
    case View::Typing::nothing:
      break;
  }
  if (!view.notice.empty()) return view.notice;
  if (width < 78) return "1-7 views  / filter  t task  f freeze  ? keys  q detach";
  const std::string tabs = width < 100
                               ? "1 all 2 tree 3 peers 4 events 5 task 6 health 7 runs  "
                               : "1 all  2 tree  3 peers  4 events  5 task  6 health  7 runs   ";
  if (width < 100) return tabs + "/ filter ? keys q detach";
  if (width < 140) return tabs + "f freeze  / filter  ? keys  q detach";
  const std::string_view arrows = view.script == Script::unicode ? "←→" : "<- ->";
  return tabs +
         fmt::format("f freeze  / filter  s sort  t task  {} scrub  [ ] run  ? keys  q detach",
                     arrows);
}

}  // namespace

TextGrid screen(const live::Knowledge& known, const live::State& state, const View& view,
                Size size) {
  TextGrid grid(size);
  if (size.width < least_size.width || size.height < least_size.height) {
    grid.put(
        0, 0,
        fmt::format("The monitor needs {} x {} characters.", least_size.width, least_size.height));
    return grid;
  }
  if (state.empty()) {
    grid.put(
        0, 0,
        "rhizome  " + known.welcome.scenario + "  waiting for a run to begin: " + view.standing);
  } else {
    View fitting = view;  // to a run that may have other peers than the one before
    if (view.chosen && view.chosen->value >= state.rows().size()) fitting.chosen.reset();
    const Panel panel{state, known, fitting, live::forest_of(state.rows())};
    put_tab(grid, panel, put_header(grid, panel));
  }
  grid.put(0, size.height - 1, std::string(size.width, ' '));
  grid.put(0, size.height - 1, keys_text(view, size.width), Style::faint);
  return grid;
}

}  // namespace rhizome::tools
