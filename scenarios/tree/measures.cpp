#include "scenarios/tree/measures.hpp"

#include <algorithm>

namespace rhizome::scenarios {

namespace {

std::vector<DepthSpeed> speeds_by_depth(const Outcome& outcome, const Tree& tree) {
  std::vector<DepthSpeed> levels(tree.members() == 0 ? 0 : tree.height() + 1);
  for (std::size_t i = 0; i < tree.depth.size(); ++i) {
    if (!tree.depth[i]) continue;
    DepthSpeed& level = levels[*tree.depth[i]];
    level.depth = *tree.depth[i];
    ++level.peers;
    level.mean_speed += outcome.peers[i].speed;
  }
  for (DepthSpeed& level : levels)
    if (level.peers > 0) level.mean_speed /= static_cast<double>(level.peers);
  return levels;
}

// Growth and promotion go on in a healthy tree.
bool unrest(const TreeMove& move) {
  return move.reason != "promotion" && move.reason != "join" && move.reason != "crash";
}

std::vector<Settling> settlings_of(const Outcome& outcome, const std::vector<TreeMove>& moves,
                                   Time until) {
  std::vector<Settling> list;
  for (const core::Fault& fault : outcome.faults)
    if (fault.kind == core::Fault::Kind::crash && fault.at <= until)
      list.push_back({.crash = fault.at, .peer = fault.peer});
  for (const TreeMove& move : moves) {
    if (!unrest(move)) continue;
    const auto next = std::upper_bound(list.begin(), list.end(), move.at,
                                       [](Time at, const Settling& s) { return at < s.crash; });
    if (next == list.begin()) continue;
    Settling& settling = *std::prev(next);
    ++settling.moves;
    settling.took = move.at - settling.crash;
  }
  return list;
}

bool moves_peers(core::Cause cause) {
  switch (cause) {
    case core::Cause::join:
    case core::Cause::promotion:
    case core::Cause::eviction:
    case core::Cause::departure:
    case core::Cause::merge:
    case core::Cause::split:
    case core::Cause::election:
      return true;
    default:
      return false;
  }
}

double messages_per_move(const Outcome& outcome) {
  std::uint64_t messages = 0;
  for (const PeerOutcome& peer : outcome.peers)
    for (const core::BurdenRow& row : peer.burdens)
      if (moves_peers(row.cause)) messages += row.sent.messages;
  const std::size_t moves = moves_until(outcome, Time::max()).size();
  return moves == 0 ? 0 : static_cast<double>(messages) / static_cast<double>(moves);
}

}  // namespace

TreeMeasures measure_tree(const Outcome& outcome, Time at) {
  const Tree tree = tree_at(outcome, at);
  const std::vector<TreeMove> moves = moves_until(outcome, at);
  TreeMeasures measures{.by_depth = speeds_by_depth(outcome, tree),
                        .correlation = speed_depth_correlation(outcome, tree),
                        .moves = {},
                        .minutes = core::seconds(std::min(at, outcome.ended) - Time{}) / 60,
                        .settlings = settlings_of(outcome, moves, at),
                        .messages_per_move = messages_per_move(outcome)};
  for (const TreeMove& move : moves) ++measures.moves[move.reason];
  return measures;
}

}  // namespace rhizome::scenarios
