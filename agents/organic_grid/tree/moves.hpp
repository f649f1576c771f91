// How a node changes its parent: because it is promoted or evicted, or has lost its parent. One
// move at a time, committed on acceptance only.
#pragma once

#include <deque>
#include <optional>
#include <string_view>
#include <vector>

#include "agents/organic_grid/tree/downstream.hpp"
#include "agents/organic_grid/tree/lineage.hpp"
#include "agents/organic_grid/tree/reparenting.hpp"
#include "agents/organic_grid/tree/upstream.hpp"

namespace rhizome::agents::grid {

class Moves {
 public:
  using Messages = core::OneOf<Move, Evict, Wait, Accept, Reject>;

  Moves(Lineage& lineage, Home& home, Upstream& up, Downstream& down)
      : lineage_(lineage), home_(home), up_(up), down_(down) {}

  [[nodiscard]] bool under_way() const { return moving_.has_value(); }
  // The first parent, which sent a clone here.
  void join(Env& env, PeerId parent, const Clone& clone);
  // The parent is lost: looks for another.
  void orphan(Env& env, std::string_view reason);
  // Takes a parent's list of ancestors, which may show that this node is its own ancestor.
  void learn_ancestors(Env& env, const std::vector<PeerId>& ancestors);
  // Called every heartbeat.
  void tick(Env& env);

  void on(Env& env, PeerId from, const Move& message);
  void on(Env& env, PeerId from, const Evict& message);
  void on(Env& env, PeerId from, const Wait& message);
  void on(Env& env, PeerId from, const Accept& message);
  void on(Env& env, PeerId from, const Reject& message);

 private:
  void begin(Env& env, std::deque<PeerId> candidates, std::string_view reason);
  void try_next(Env& env);
  void seek_parent(Env& env);

  Lineage& lineage_;
  Home& home_;
  Upstream& up_;
  Downstream& down_;
  std::optional<Reparenting> moving_;
};

}  // namespace rhizome::agents::grid
