// The trees or groups of a run: the number of peers at each depth, the children of each peer, and
// recent moves.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/live/seen/moves.hpp"
#include "tools/monitor/panels/panel.hpp"

namespace rhizome::tools {

namespace live = scenarios::live;
using core::PeerId;

namespace {

constexpr auto lately = std::chrono::seconds(10);

using Moves = std::vector<live::Move>;

Moves recent_moves(const Panel& panel) {
  return live::moves_within(panel.state.facts(), panel.known.welcome.fact_kinds, lately);
}

// The number of recent moves of each peer.
std::map<PeerId, std::size_t> moves_by_peer(const Panel& panel) {
  std::map<PeerId, std::size_t> counts;
  for (const live::Move& move : recent_moves(panel)) ++counts[move.peer];
  return counts;
}

double speed_of(const Panel& panel, PeerId peer) {
  const live::Plan* plan = panel.known.plan_of_run();
  return plan != nullptr && peer.value < plan->foreseen.speeds.size()
             ? plan->foreseen.speeds[peer.value]
             : 0;
}

// The lines of the unfolded tree from top to bottom, with the children of a peer in the chosen
// order.
class Unfolded {
 public:
  struct Line {
    PeerId peer{};
    std::size_t depth = 0;
    bool open = false;
  };

  explicit Unfolded(const Panel& panel) : panel_(panel) {
    if (panel.view.tree_order == TreeOrder::moves) moves_ = moves_by_peer(panel);
    for (const PeerId root : panel.forest.roots) add(root, 0);
  }
  [[nodiscard]] const std::vector<Line>& lines() const { return lines_; }

 private:
  // Iterative, not recursive: a tree may be as deep as the run has peers.
  void add(PeerId root, std::size_t depth) {
    std::vector<Line> waiting{{root, depth, false}};
    while (!waiting.empty()) {
      Line line = waiting.back();
      waiting.pop_back();
      const bool turned = panel_.view.turned.contains(line.peer);
      line.open = (line.depth == 0) != turned;
      lines_.push_back(line);
      if (!line.open) continue;
      const std::vector<PeerId> children = in_order(panel_.forest.children[line.peer.value]);
      for (auto child = children.rbegin(); child != children.rend(); ++child)
        waiting.push_back({*child, line.depth + 1, false});
    }
  }
  [[nodiscard]] double weight_of(PeerId peer) const {
    switch (panel_.view.tree_order) {
      case TreeOrder::burden:
        return burden_of(panel_.state, peer);
      case TreeOrder::size:
        return panel_.forest.below[peer.value];
      case TreeOrder::speed:
        return speed_of(panel_, peer);
      case TreeOrder::moves:
        return static_cast<double>(moves_.contains(peer) ? moves_.at(peer) : 0);
    }
    return 0;
  }
  // If the view holds the order of peers, children are ordered by address, so that lines do not
  // jump.
  [[nodiscard]] std::vector<PeerId> in_order(std::vector<PeerId> peers) const {
    if (panel_.view.held.empty())
      std::stable_sort(peers.begin(), peers.end(),
                       [this](PeerId a, PeerId b) { return weight_of(a) > weight_of(b); });
    return peers;
  }

  const Panel& panel_;
  std::map<PeerId, std::size_t> moves_;
  std::vector<Line> lines_;
};

std::string ago(core::Time now, core::Time at) {
  return fmt::format("{:.1f} s ago", core::seconds(now - std::min(now, at)));
}

std::string move_text(const live::Move& move, core::Time now) {
  const std::string from = move.from == core::no_peer ? "" : "from " + name_of(move.from) + " ";
  return fmt::format("{}by {}, {}", from, move.reason, ago(now, move.at));
}

std::string tree_line(const Panel& panel, const Unfolded::Line& line, const Moves& moves) {
  const PeerId peer = line.peer;
  const bool unicode = panel.view.script == Script::unicode;
  const std::size_t children = panel.forest.children[peer.value].size();
  const std::string_view mark = children == 0 ? (unicode ? "·" : ".")
                                : line.open   ? (unicode ? "▾" : "v")
                                              : (unicode ? "▸" : ">");
  const bool down = !live::is_alive(panel.state.rows()[peer.value]);
  const std::string head = std::string(2 * std::min<std::size_t>(line.depth, 12), ' ') +
                           std::string(mark) + " " + name_of(peer) +
                           (down              ? " x"
                            : line.depth == 0 ? " *"
                                              : "");
  std::string text = head + std::string(16 - std::min<std::size_t>(width_of(head), 15), ' ');
  text += fmt::format("{:>7}/s", short_number(burden_of(panel.state, peer)));
  if (const double speed = speed_of(panel, peer); speed > 0)
    text += fmt::format("  speed {:.2f}", speed);
  if (children > 0)
    text += fmt::format("  {:>3} children {:>4} below", children, panel.forest.below[peer.value]);
  const auto moved = std::find_if(moves.begin(), moves.end(),
                                  [peer](const live::Move& move) { return move.peer == peer; });
  if (moved != moves.end()) text += "  " + move_text(*moved, panel.state.frame().now);
  return text;
}

// One line for each depth; the deepest levels share the last line.
std::size_t put_levels(TextGrid& grid, const Panel& panel, std::size_t line, std::size_t most) {
  const std::vector<std::uint32_t>& levels = panel.forest.levels;
  if (levels.empty()) return line;
  const std::uint32_t widest = *std::max_element(levels.begin(), levels.end());
  const std::size_t room = grid.size().width > 30 ? grid.size().width - 20 : 10;
  for (std::size_t i = 0; i < levels.size() && i < most; ++i) {
    const bool last = i + 1 == most && i + 1 < levels.size();
    std::uint32_t count = levels[i];
    if (last)
      for (std::size_t j = i + 1; j < levels.size(); ++j) count += levels[j];
    const std::size_t cells =
        std::min<std::size_t>(count, std::max<std::size_t>(count * room / std::max(widest, 1U), 1));
    grid.put(
        0, line++,
        fmt::format("{} {:>2}{} {:>5} {}", i == 0 ? "depth" : "     ", i, last ? "+" : " ", count,
                    bar(1, widest <= room ? count : std::min(cells, room), panel.view.script)));
  }
  return line;
}

std::string outside_text(const Panel& panel) {
  std::string text;
  std::size_t count = 0;
  for (std::uint32_t i = 0; i < panel.state.rows().size(); ++i) {
    if (panel.forest.depth[i] != live::Forest::outside) continue;
    ++count;
    if (text.size() > 200) continue;
    text += (text.empty() ? "" : ", ") + name_of(PeerId{i}) +
            (live::is_alive(panel.state.rows()[i]) ? "" : " (down)");
  }
  return count == 0 ? "outside: nobody" : fmt::format("outside: {}: {}", count, text);
}

void put_moves(TextGrid& grid, const Panel& panel, std::size_t line, std::size_t end) {
  for (const live::Move& move : recent_moves(panel)) {
    if (line >= end) return;
    grid.put(0, line++,
             fmt::format("{:>8.3f}  {:<6} to {:<8} {}", core::seconds(move.at), name_of(move.peer),
                         name_of(move.to), move_text(move, panel.state.frame().now)));
  }
}

}  // namespace

std::vector<PeerId> unfolded_peers(const Panel& panel) {
  std::vector<PeerId> peers;
  const Unfolded unfolded(panel);
  for (const Unfolded::Line& line : unfolded.lines()) peers.push_back(line.peer);
  return peers;
}

// For example "tree of #17: height 6, 98 members, 12.1 moves/s, 3 promotions".
std::string tree_title(const Panel& panel) {
  const live::Forest& forest = panel.forest;
  if (forest.roots.empty())
    return panel.state.views()
               ? "no tree and no groups; the links of a peer: key 3, and Enter on it"
               : "no tree and no groups";
  const Moves moves = recent_moves(panel);
  const double span = std::min(core::seconds(lately), core::seconds(panel.state.frame().now));
  std::string text = forest.roots.size() == 1
                         ? "tree of " + name_of(forest.roots.front())
                         : fmt::format("{} trees or groups", forest.roots.size());
  text += fmt::format(": height {}, {} members, {:.1f} moves/s", forest.levels.size() - 1,
                      forest.members(), span > 0 ? static_cast<double>(moves.size()) / span : 0.0);
  const auto promotions = std::count_if(moves.begin(), moves.end(), [](const live::Move& move) {
    return move.reason == "promotion";
  });
  return promotions > 0 ? fmt::format("{}, {} promotions", text, promotions) : text;
}

void put_tree(TextGrid& grid, const Panel& panel, std::size_t line, std::size_t end) {
  if (line + 4 > end) return;
  constexpr std::array<std::string_view, 4> orders{"burden", "size", "speed", "moves"};
  const std::size_t foot = end - 2;
  if (panel.view.moves) {
    put_moves(grid, panel, line, foot);
  } else {
    line = put_levels(grid, panel, line, std::max<std::size_t>(2, (end - line) / 3)) + 1;
    const Unfolded unfolded(panel);
    const auto& lines = unfolded.lines();
    const Moves moves = recent_moves(panel);
    const bool chooses = panel.view.tab == Tab::tree && panel.view.chosen;
    const auto chosen = std::find_if(lines.begin(), lines.end(), [&](const Unfolded::Line& each) {
      return chooses && each.peer == *panel.view.chosen;
    });
    const std::size_t at =
        chosen == lines.end() ? 0 : static_cast<std::size_t>(chosen - lines.begin());
    for (std::size_t i = first_line(at, lines.size(), foot - std::min(foot, line));
         i < lines.size() && line < foot; ++i, ++line) {
      grid.put(0, line, tree_line(panel, lines[i], moves));
      if (chosen != lines.end() && i == at) grid.mark(line, Style::chosen);
    }
  }
  grid.put(0, foot, outside_text(panel));
  grid.put(0, foot + 1,
           fmt::format("Enter unfolds; o orders, now by {}; m shows {}",
                       orders[static_cast<std::size_t>(panel.view.tree_order)],
                       panel.view.moves ? "the tree" : "moves only"),
           Style::faint);
}

}  // namespace rhizome::tools
