// Ranks children by how fast their results come: if there are too many, the slowest child is sent
// away, and the fastest is offered to the parent.
#pragma once

#include <cstdint>

#include "agents/organic_grid/tree/downstream.hpp"
#include "agents/organic_grid/tree/lineage.hpp"
#include "agents/organic_grid/tree/moves.hpp"
#include "agents/organic_grid/tree/stock.hpp"
#include "agents/organic_grid/tree/upstream.hpp"

namespace rhizome::agents::grid {

class ChildRanking {
 public:
  using Messages = core::OneOf<Results, OfferAccepted>;

  struct Parts {
    Stock& stock;
    const Upstream& up;
    const Moves& moves;
    Downstream& down;
  };

  ChildRanking(const Lineage& lineage, const Home& home, const Parts& parts)
      : lineage_(lineage), home_(home), parts_(parts) {}

  // How slowly this peer itself has executed its last task, as a result says it.
  void own_pace(double pace) { pace_ = pace; }

  void on(Env& env, PeerId from, const Results& message);
  void on(Env& env, PeerId from, const OfferAccepted& message);

 private:
  void judge(Env& env, Child& child, std::span<const Result> fresh);
  void offer_best(Env& env);

  const Lineage& lineage_;
  const Home& home_;
  const Parts parts_;
  std::uint32_t results_since_offer_ = 0;
  double pace_ = 0;
};

}  // namespace rhizome::agents::grid
