// What ties a node to its parent: it hears it, answers its signs of life, and notices when it is
// gone.
#pragma once

#include "agents/organic_grid/tree/lineage.hpp"
#include "agents/organic_grid/tree/missing.hpp"
#include "agents/organic_grid/tree/moves.hpp"
#include "agents/organic_grid/tree/stock.hpp"
#include "agents/organic_grid/tree/upstream.hpp"

namespace rhizome::agents::grid {

class ParentLease {
 public:
  using Messages = core::OneOf<Supply, AliveToo, Stranger>;

  struct Parts {
    Stock& stock;
    Upstream& up;
    Moves& moves;
    Missing& missing;
  };

  ParentLease(Lineage& lineage, const Parts& parts) : lineage_(lineage), parts_(parts) {}

  // Called every heartbeat.
  void tick(Env& env);

  void on(Env& env, PeerId from, const Supply& message);
  void on(Env& env, PeerId from, const AliveToo& message);
  void on(Env& env, PeerId from, const Stranger& message);

 private:
  // What a parent says in every message to a child.
  template <class M>
  void heard(Env& env, const M& message);

  Lineage& lineage_;
  const Parts parts_;
};

}  // namespace rhizome::agents::grid
