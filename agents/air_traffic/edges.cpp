#include "agents/air_traffic/edges.hpp"

namespace rhizome::agents::traffic {

std::vector<PeerId> Edges::list() const {
  std::vector<PeerId> ids;
  for (const auto& [id, heard] : heard_) ids.push_back(id);
  return ids;
}

void Edges::link(Env& env, PeerId leader) {
  if (leader == env.self()) return;
  const bool fresh = heard_.insert_or_assign(leader, env.now()).second;
  if (fresh) env.note(LeadersLinked{leader, true});
}

void Edges::introduce(Env& env, PeerId leader, core::Cause cause) {
  if (leader == env.self()) return;
  link(env, leader);
  env.send(leader, Linked{}, cause);
}

void Edges::unlink(Env& env, PeerId leader) {
  if (heard_.erase(leader) == 0) return;
  env.note(LeadersLinked{leader, false});
}

void Edges::on(Env& env, PeerId from, const Linked&) { link(env, from); }

// Makes the new edge before it drops the old one. The other end hears of it with the next
// heartbeat, and not at once: two peers that no longer lead and name each other would be asked for
// ever. A leader that knows no other may have been the only connection.
void Edges::on(Env& env, PeerId from, const Unlinked& message) {
  if (message.instead == core::no_peer) {
    bereaved_ = bereaved_ || contains(from);
  } else if (message.instead != from) {
    link(env, message.instead);
  }
  unlink(env, from);
}

void Edges::on(Env& env, PeerId, const Neighbour& message) {
  bereaved_ = false;
  if (!contains(message.leader)) introduce(env, message.leader);
}

void Edges::tick(Env& env, PeerId queue) {
  std::vector<PeerId> dead;
  for (const auto& [edge, heard] : heard_)
    if (env.now() - heard > 2 * options_.timeout) dead.push_back(edge);
  for (const PeerId edge : dead) unlink(env, edge);
  bereaved_ = bereaved_ || !dead.empty();
  if (bereaved_) env.send(queue, Bereaved{});
  for (const auto& [edge, heard] : heard_) env.send(edge, Linked{}, core::Cause::heartbeat);
}

void Edges::hand_over(Env& env, PeerId successor) {
  for (const PeerId edge : list()) {
    env.send(edge, Unlinked{successor});
    unlink(env, edge);
  }
}

}  // namespace rhizome::agents::traffic
