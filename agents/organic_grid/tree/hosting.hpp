// The peers that a node takes in: newcomers that ask for work, grandchildren that are offered, and
// nodes that move here. To keep the tree free of cycles, a move is granted only while no node
// between the host and the root is moving: of two moves that would close a cycle together, each
// request would have to pass the other's mover.
#pragma once

#include <cstdint>

#include "agents/organic_grid/tree/downstream.hpp"
#include "agents/organic_grid/tree/lineage.hpp"
#include "agents/organic_grid/tree/moves.hpp"
#include "agents/organic_grid/tree/stock.hpp"
#include "agents/organic_grid/tree/upstream.hpp"

namespace rhizome::agents::grid {

class Hosting {
 public:
  using Messages = core::OneOf<Offer, Adopt, Climb, Climbed>;

  // The parts that decide whether a node is taken in.
  struct Parts {
    const Stock& stock;
    const Upstream& up;
    const Moves& moves;
    Downstream& down;
  };

  Hosting(const Lineage& lineage, const Home& home, const Parts& parts)
      : lineage_(lineage), home_(home), parts_(parts) {}

  // Whether a newcomer would be taken.
  [[nodiscard]] bool has_surplus() const;
  // A neighbour asks for work. True when it is a child.
  bool asked(Env& env, PeerId from, std::uint64_t epoch);

  void on(Env& env, PeerId from, const Offer& message);
  void on(Env& env, PeerId from, const Adopt& message);
  void on(Env& env, PeerId from, const Climb& message);
  void on(Env& env, PeerId from, const Climbed& message);

 private:
  [[nodiscard]] bool stands() const {
    return parts_.up.rooted() && !parts_.moves.under_way() && !home_.draining;
  }
  [[nodiscard]] bool may_host(PeerId peer, Time now) const;

  const Lineage& lineage_;
  const Home& home_;
  const Parts parts_;
};

}  // namespace rhizome::agents::grid
