#include "scenarios/outcome/tree.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace rhizome::scenarios {

namespace {

using core::no_peer;
using core::PeerId;

constexpr std::string_view termination = "termination";

// Whether peers have parents in a tree; else they have groups only.
bool has_tree(const Outcome& outcome) { return outcome.facts.any<agents::ParentChanged>(); }

// Whether any peer has a parent or a leader.
bool has_structure(const Outcome& outcome) {
  return has_tree(outcome) || outcome.facts.any<agents::GroupChanged>();
}

// The structure of a run as one tree below its source.
struct Structure {
  PeerId root;
  bool tree;

  // Nothing when the fact is about the tree of another root.
  [[nodiscard]] std::optional<PeerId> parent(const Noted<agents::ParentChanged>& noted) const {
    return noted.fact.root == root ? std::optional(noted.fact.parent) : std::nullopt;
  }
  // A worker hangs below its leader. A leader has its own place in a tree, if there is one; else it
  // hangs below the queue.
  [[nodiscard]] std::optional<PeerId> parent(const Noted<agents::GroupChanged>& noted) const {
    if (noted.fact.leader != noted.peer) return noted.fact.leader;
    return tree ? std::nullopt : std::optional(root);
  }
};

void count_depths(Tree& tree) {
  std::vector<PeerId> level{tree.root};
  tree.depth[tree.root.value] = 0;
  for (std::uint32_t depth = 1; !level.empty(); ++depth) {
    std::vector<PeerId> next;
    for (const PeerId peer : level)
      for (const PeerId child : tree.children[peer.value]) {
        if (tree.depth[child.value]) continue;
        tree.depth[child.value] = depth;
        next.push_back(child);
      }
    level = std::move(next);
  }
}

std::vector<double> ranks(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    return std::pair(values[a], a) < std::pair(values[b], b);
  });
  std::vector<double> ranked(values.size());
  for (std::size_t first = 0; first < order.size();) {
    std::size_t last = first;
    while (last + 1 < order.size() && values[order[last + 1]] == values[order[first]]) ++last;
    for (std::size_t i = first; i <= last; ++i)
      ranked[order[i]] = static_cast<double>(first + last) / 2;
    first = last + 1;
  }
  return ranked;
}

}  // namespace

std::size_t Tree::members() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(depth, [](const auto& d) { return d.has_value(); }));
}

std::uint32_t Tree::height() const {
  std::uint32_t most = 0;
  for (const auto& d : depth) most = std::max(most, d.value_or(0));
  return most;
}

PeerId source_of(const Outcome& outcome) {
  std::vector<std::size_t> submissions;  // by peer
  for (const auto& noted : outcome.facts.of<agents::TaskSubmitted>()) {
    const std::size_t peer = noted.peer.value;
    if (peer >= submissions.size()) submissions.resize(peer + 1);
    ++submissions[peer];
  }
  const auto most = std::ranges::max_element(submissions);
  if (most == submissions.end()) return no_peer;
  return PeerId{static_cast<std::uint32_t>(most - submissions.begin())};
}

std::vector<TreeMove> moves_until(const Outcome& outcome, Time until) {
  if (!has_structure(outcome)) return {};
  const Structure structure{source_of(outcome), has_tree(outcome)};
  std::map<PeerId, PeerId> parent;
  std::vector<TreeMove> moves;
  const auto move = [&](Time at, PeerId peer, PeerId to, std::string reason) {
    const auto found = parent.find(peer);
    const PeerId from = found == parent.end() ? no_peer : found->second;
    if (from == to || peer == structure.root) return;
    parent[peer] = to;
    moves.push_back({at, peer, from, to, std::move(reason)});
  };
  auto fault = outcome.faults.begin();
  const auto bury_until = [&](Time time) {
    for (; fault != outcome.faults.end() && fault->at <= std::min(time, until); ++fault)
      if (core::ends_life(fault->kind)) move(fault->at, fault->peer, no_peer, "crash");
  };
  outcome.facts.in_order<agents::ParentChanged, agents::GroupChanged>([&](const auto& noted) {
    if (noted.at > until) return false;
    bury_until(noted.at);
    if (noted.fact.reason == termination) return true;
    if (const auto to = structure.parent(noted)) move(noted.at, noted.peer, *to, noted.fact.reason);
    return true;
  });
  bury_until(outcome.ended);
  return moves;
}

Tree tree_of(PeerId root, std::vector<PeerId> parents) {
  const std::size_t peers = parents.size();
  Tree tree{.root = root,
            .parent = std::move(parents),
            .depth = std::vector<std::optional<std::uint32_t>>(peers),
            .children = std::vector<std::vector<PeerId>>(peers)};
  if (root == no_peer) return tree;
  for (std::uint32_t i = 0; i < tree.parent.size(); ++i)
    if (tree.parent[i] != no_peer) tree.children[tree.parent[i].value].push_back(PeerId{i});
  count_depths(tree);
  return tree;
}

Tree tree_at(const Outcome& outcome, Time at) {
  const PeerId root = has_structure(outcome) ? source_of(outcome) : no_peer;
  std::vector<PeerId> parents(outcome.peers.size(), no_peer);
  if (root != no_peer)
    for (const TreeMove& move : moves_until(outcome, at)) parents[move.peer.value] = move.to;
  return tree_of(root, std::move(parents));
}

std::optional<double> rank_correlation(const std::vector<double>& a, const std::vector<double>& b) {
  const std::vector<double> x = ranks(a);
  const std::vector<double> y = ranks(b);
  const double middle = (static_cast<double>(x.size()) - 1) / 2;
  double xy = 0;
  double xx = 0;
  double yy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xy += (x[i] - middle) * (y[i] - middle);
    xx += (x[i] - middle) * (x[i] - middle);
    yy += (y[i] - middle) * (y[i] - middle);
  }
  if (xx <= 0 || yy <= 0) return {};
  return xy / std::sqrt(xx * yy);
}

std::optional<double> speed_depth_correlation(const Outcome& outcome, const Tree& tree) {
  std::vector<double> speeds;
  std::vector<double> depths;
  for (std::size_t i = 0; i < tree.depth.size(); ++i) {
    if (!tree.depth[i] || *tree.depth[i] == 0) continue;
    speeds.push_back(outcome.peers[i].speed);
    depths.push_back(*tree.depth[i]);
  }
  return rank_correlation(speeds, depths);
}

}  // namespace rhizome::scenarios
