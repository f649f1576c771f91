#include "tools/tree/measures.hpp"

#include <algorithm>

namespace rhizome::tools {

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

// Whether the layout of the scenario placed the peer at the start: this is no move of a peer.
bool placement(const TreeMove& move) { return move.reason == "layout"; }

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

std::optional<double> messages_per_move(const Outcome& outcome) {
  std::uint64_t messages = 0;
  for (const PeerOutcome& peer : outcome.peers)
    for (const core::BurdenRow& row : peer.burdens)
      if (moves_peers(row.cause)) messages += row.sent.messages;
  std::vector<TreeMove> moves = moves_until(outcome, Time::max());
  std::erase_if(moves, placement);
  if (moves.empty()) return {};
  return static_cast<double>(messages) / static_cast<double>(moves.size());
}

}  // namespace

TreeMeasures measure_tree(const Outcome& outcome, Time at) {
  const Tree tree = tree_at(outcome, at);
  TreeMeasures measures{.by_depth = speeds_by_depth(outcome, tree),
                        .correlation = speed_depth_correlation(outcome, tree),
                        .minutes = core::seconds(std::min(at, outcome.ended) - Time{}) / 60,
                        .settlings = settlings_of(outcome, at),
                        .messages_per_move = messages_per_move(outcome)};
  for (const TreeMove& move : moves_until(outcome, at)) {
    if (placement(move)) {
      ++measures.placed;
    } else {
      ++measures.moves[move.reason];
    }
  }
  return measures;
}

}  // namespace rhizome::tools
