// The members of a group: a peer belongs to it from its first message as a follower until it is
// sent away or falls silent.
#include <algorithm>

#include "agents/air_traffic/leader.hpp"

namespace rhizome::agents::traffic {

std::uint32_t Leader::size() const {
  std::uint32_t slots = 0;
  for (const auto& [id, worker] : workers_) slots += worker.slots;
  return slots;
}

std::vector<Member> Leader::members(Env& env) const {
  std::vector<Member> list;
  for (const auto& [id, worker] : workers_)
    if (id != env.self()) list.push_back({id, worker.slots});
  return list;
}

void Leader::on(Env& env, PeerId from, const WorkerAlive& message) {
  const auto found = workers_.find(from);
  if (found == workers_.end()) {
    adopt(env, from, message);
    return;
  }
  WorkerState& worker = found->second;
  epoch_ = std::max(epoch_, message.epoch);
  worker.last_heard = env.now();
  check_denied(env, from, worker, message);
  if (std::exchange(worker.present, true)) return;
  moves_.erase(from);
  if (phase_ == Phase::running) assign(env);
}

// A stranger that follows is a worker from now on. A worker that was sent away and has not got that
// order is told again, once the first order must have come. Soon after this leader began, a sign of
// life with an earlier epoch may be older than an order to follow another leader, so it is ignored.
void Leader::adopt(Env& env, PeerId from, const WorkerAlive& message) {
  if (message.epoch < first_epoch_ && env.now() - began_ <= options_.round_trip()) return;
  const auto move = moves_.find(from);
  if (move != moves_.end() && message.epoch < move->second.epoch) {
    if (env.now() - move->second.told > options_.round_trip())
      send_away(env, from, Move(move->second));
    return;
  }
  moves_.erase(from);
  epoch_ = std::max(epoch_, message.epoch);
  workers_[from] = {.slots = message.slots, .last_heard = env.now(), .present = true};
  ask(env);
  if (phase_ == Phase::running) assign(env);
}

void Leader::send_away(Env& env, PeerId worker, const Move& move) {
  if (move.leader == worker) {
    env.send(worker, Lead{move.epoch, move.members});
  } else {
    env.send(worker, Follow{move.leader, move.epoch});
  }
  moves_[worker] = move;
  moves_[worker].told = env.now();
}

void Leader::show_life(Env& env, Duration silence) {
  const Roster roster{epoch_, members(env), edges_.list(), silence};
  calm_.look(env.now(), roster, watched(env.self(), silence));
  const bool shows = calm_.shows(env.now());
  for (const auto& [id, worker] : workers_) {
    if (!shows || !worker.present || id == env.self()) continue;
    if (calm_.told(env.now()))
      env.send(id, Steady{epoch_, silence, calm_.settled(env.now())});
    else
      env.send(id, roster);
  }
  env.send(queue_, LeaderAlive{size()});
  ask(env);
}

// Whether the group has to notice a death or a loss: there is work, a worker has yet to come, or
// the queue may be dead, which all peers have to doubt in time.
bool Leader::watched(PeerId self, Duration silence) const {
  if (phase_ != Phase::asking || silence > options_.timeout || works_itself(self)) return true;
  return std::any_of(workers_.begin(), workers_.end(), [](const auto& item) {
    return !item.second.present || !item.second.running.empty();
  });
}

// A leader without workers joins another group. If it is the only leader, it works itself until a
// worker comes.
void Leader::mind_solitude(Env& env) {
  const auto self = workers_.find(env.self());
  const bool itself = self != workers_.end();
  if (workers_.size() > (itself ? 1U : 0U)) {
    last_worker_ = env.now();
    if (itself && self->second.running.empty()) workers_.erase(self);
    return;
  }
  if (env.now() - last_worker_ <= options_.timeout) return;
  if (!edges_.list().empty()) {
    if (!itself || self->second.running.empty()) disband(env);
  } else if (!itself) {
    workers_[env.self()] = {.slots = own_slots_, .last_heard = env.now(), .present = true};
    if (phase_ == Phase::running) assign(env);
  }
}

void Leader::disband(Env& env) {
  if (busy()) {
    const Done partial{batch_.results()};
    if (options_.bundled && !partial.results.empty()) env.send(queue_, partial);
    env.send(queue_, Return{ticket_});
  }
  edges_.hand_over(env, edges_.list().front());
  cancel_timers(env);
  disbanded_ = true;
}

}  // namespace rhizome::agents::traffic
