// The edges of a leader to its neighbours. The graph of leaders stays connected, because a leader
// that goes hands over its neighbours, and because the queue closes a ring once a leader has died.
#pragma once

#include <map>
#include <vector>

#include "agents/air_traffic/messages.hpp"
#include "agents/air_traffic/options.hpp"
#include "core/peer/env.hpp"

namespace rhizome::agents::traffic {

class Edges {
 public:
  explicit Edges(const Options& options) : options_(options) {}

  void on(Env& env, PeerId from, const Linked& message);
  void on(Env& env, PeerId from, const Unlinked& message);
  void on(Env& env, PeerId from, const Neighbour& message);

  void link(Env& env, PeerId leader);
  // Links, and tells the other end.
  void introduce(Env& env, PeerId leader, core::Cause cause = Linked::info.cause);
  void unlink(Env& env, PeerId leader);
  // Drops the silent neighbours, and shows the others that this leader lives.
  void tick(Env& env, PeerId queue);
  // Tells every neighbour to become a neighbour of `successor`, which is not told here: it knows
  // them if it was sent the list.
  void hand_over(Env& env, PeerId successor);
  // The queue must be told, until it answers, that the graph may have come apart.
  void bereave() { bereaved_ = true; }

  [[nodiscard]] bool contains(PeerId leader) const { return heard_.contains(leader); }
  [[nodiscard]] std::vector<PeerId> list() const;

 private:
  const Options& options_;
  std::map<PeerId, Time> heard_;
  bool bereaved_ = false;
};

}  // namespace rhizome::agents::traffic
