#include "agents/air_traffic/worker.hpp"

#include <algorithm>

namespace rhizome::agents::traffic {

void Worker::follow(Env& env, PeerId leader, std::uint64_t epoch, std::string_view reason) {
  epoch_ = std::max(epoch_, epoch);
  if (leader == leader_) return;
  last_heard_ = env.now();
  has_led_ = has_led_ || leader == env.self();
  if (leader_ == env.self()) stood_down_ = env.now();
  leader_ = leader;
  resting_ = false;
  roster_.clear();
  edges_.clear();
  env.note(GroupChanged{leader, std::string(reason)});
}

void Worker::report_to(Env& env, PeerId leader, std::uint64_t epoch, std::string_view reason) {
  follow(env, leader, epoch, reason);
  report(env);
}

void Worker::stop(Env& env) {
  server_.stop(env);
  assigned_by_.clear();
}

bool Worker::finished(TaskId task) const {
  return std::find(recent_.begin(), recent_.end(), task) != recent_.end();
}

// An assignment may come twice; for a task that is done the worker only sends the result again.
void Worker::on(Env& env, PeerId from, const Assign& message) {
  if (from != leader_) return;
  last_heard_ = env.now();
  resting_ = false;
  for (const Task& task : message.tasks) {
    if (finished(task.id)) {
      env.send(from, Done{{{product_of(task), env.self()}}}, core::Cause::recovery);
    } else {
      assigned_by_.emplace(task.id, from);
      server_.accept(env, task);
    }
  }
}

// The result goes to the present leader, which may be another than the one that assigned the task.
void Worker::on(Env& env, const core::WorkDone& work) {
  const auto task = server_.finish(env, work);
  if (!task) return;
  constexpr std::size_t most_recent = 64;
  const PeerId assigned_by = assigned_by_.extract(task->id).mapped();
  const PeerId to = leader_ != core::no_peer ? leader_ : assigned_by;
  recent_.push_back(task->id);
  if (recent_.size() > most_recent) recent_.pop_front();
  env.send(to, Done{{{product_of(*task), env.self()}}});
}

// Only signs of life of the own leader count: a roster moves no worker. Leaders hear the queue
// themselves, and tell their workers when they last did.
template <class M>
bool Worker::shown_life(const Env& env, PeerId from, const M& sign) {
  if (from != leader_) return false;
  queue_death_vote_.alive(env.now() - sign.silence);
  if (sign.epoch < epoch_) return false;
  epoch_ = sign.epoch;
  last_heard_ = env.now();
  return true;
}

void Worker::on(Env& env, PeerId from, const Roster& message) {
  if (!shown_life(env, from, message)) return;
  resting_ = false;
  roster_ = message.members;
  edges_ = message.edges;
}

void Worker::on(Env& env, PeerId from, const Steady& message) {
  if (shown_life(env, from, message)) resting_ = message.rest;
}

// Only a leader's own message shows that it lives: a peer that sends others to it may not know yet
// that it died.
void Worker::on(Env& env, PeerId from, const Follow& message) {
  if (message.epoch <= epoch_ || message.leader == env.self()) return;
  if (from == leader_ && from == message.leader) last_heard_ = env.now();
  report_to(env, message.leader, message.epoch,
            from == message.leader ? "election" : "reorganised");
}

void Worker::tick(Env& env) {
  if (leader_ != core::no_peer && env.now() - last_heard_ > 2 * silence())
    follow(env, core::no_peer, epoch_, "leader lost");  // no worker succeeded it
  if (leader_ == core::no_peer) {
    env.send(queue_, Join{slots()});
  } else {
    report(env);
  }
}

void Worker::report(Env& env) const {
  WorkerAlive alive{slots(), epoch_, {}};
  for (const auto& [task, resident] : server_.residents()) alive.holding.push_back(task);
  env.send(leader_, alive);
}

std::optional<Worker::Inheritance> Worker::claim(const Env& env) const {
  if (leader_ == core::no_peer || leader_ == env.self() || roster_.empty()) return {};
  std::int64_t rank = 0;
  Inheritance inheritance{epoch_ + 1, {}, edges_};
  for (const Member& member : roster_) {
    if (member.id < env.self()) ++rank;
    if (member.id != env.self()) inheritance.members.push_back(member);
  }
  const Duration patience = silence() + rank * options_.heartbeat();
  if (env.now() - last_heard_ <= patience) return {};
  return inheritance;
}

// A peer that takes this former leader for its leader learns which leader this one follows now,
// once an order to follow another leader must have come.
void Signpost::on(Env& env, PeerId from, const WorkerAlive& message) {
  if (worker_.has_led() && env.now() - worker_.stood_down() <= options_.round_trip()) return;
  if (worker_.leader() == core::no_peer || worker_.leader() == from ||
      message.epoch >= worker_.epoch())
    return;
  env.send(from, Follow{worker_.leader(), worker_.epoch()}, core::Cause::recovery);
}

// After a restart this peer knows no edges of its former life, and no leader took them over.
void Signpost::on(Env& env, PeerId from, const Linked&) {
  const bool forgot = env.incarnation().value > 0 && !worker_.has_led();
  env.send(from, Unlinked{forgot ? core::no_peer : worker_.leader()});
}

void Signpost::on(Env& env, PeerId from, const MergeAsk&) { env.send(from, MergeRefuse{}); }

void Signpost::on(Env& env, PeerId from, const Portion& message) {
  if (from == queue_) env.send(from, Return{message.ticket});
}

void Signpost::on(Env& env, PeerId, const Done& message) {
  env.send(queue_, message, core::Cause::recovery);
}

}  // namespace rhizome::agents::traffic
