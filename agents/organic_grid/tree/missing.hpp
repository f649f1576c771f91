// Peers of a tree that are taken for dead but may only be cut off.
#pragma once

#include <set>

#include "agents/organic_grid/tree/lineage.hpp"

namespace rhizome::agents::grid {

class Missing {
 public:
  Missing(const Lineage& lineage, const Home& home) : lineage_(lineage), home_(home) {}

  void add(PeerId peer) { peers_.insert(peer); }
  void found(PeerId peer) { peers_.erase(peer); }
  // A node that is cut off for long takes the tree for dead and asks no more. While the tree lives
  // it calls the nodes that it misses.
  void recall(Env& env) {
    const Duration known = lineage_.age(env.now());
    if (peers_.empty() || known > home_.options.hope() / 2) return;
    if (env.now() - recalled_ < 2 * home_.options.timeout) return;
    recalled_ = env.now();
    for (const PeerId peer : peers_) env.send(peer, Recall{lineage_.root(), known});
  }

 private:
  const Lineage& lineage_;
  const Home& home_;
  std::set<PeerId> peers_;
  Time recalled_{};
};

}  // namespace rhizome::agents::grid
