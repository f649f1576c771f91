#include "agents/air_traffic/worker.hpp"

#include <algorithm>

#include "agents/air_traffic/air_traffic.hpp"

namespace rhizome::agents::traffic {

void Worker::follow(Env& env, PeerId leader, std::uint64_t epoch, std::string_view reason) {
  epoch_ = std::max(epoch_, epoch);
  last_heard_ = env.now();
  if (leader == leader_) return;
  leader_ = leader;
  roster_.clear();
  edges_.clear();
  env.note({.name = facts::group_changed, .other = leader, .reason = reason});
}

bool Worker::holds(TaskId task) const {
  const auto same = [task](const Held& held) { return held.task.id == task; };
  return std::any_of(waiting_.begin(), waiting_.end(), same) ||
         std::any_of(running_.begin(), running_.end(), same);
}

const Done* Worker::finished(TaskId task) const {
  for (const Done& done : recent_)
    if (done.task == task) return &done;
  return nullptr;
}

// An assignment may come twice; what is done already is only told again.
void Worker::on(Env& env, PeerId from, const Assign& message) {
  if (from == leader_) last_heard_ = env.now();
  if (const Done* done = finished(message.task.id)) {
    env.send(from, *done, core::Cause::recovery);
  } else if (!holds(message.task.id)) {
    waiting_.push_back({message.task, from});
    run(env);
  }
}

void Worker::run(Env& env) {
  while (!waiting_.empty() && executor_.fits(waiting_.front().task)) {
    executor_.start(env, waiting_.front().task);
    running_.push_back(waiting_.front());
    waiting_.pop_front();
  }
}

// The result goes to whoever leads now, which may be another than assigned the task.
void Worker::on(Env& env, const core::WorkDone& work) {
  const auto task = executor_.finish(env, work);
  if (!task) return;
  constexpr std::size_t most_recent = 64;
  const auto held = std::find_if(running_.begin(), running_.end(),
                                 [&](const Held& h) { return h.task.id == task->id; });
  const PeerId to = leader_ != core::nobody ? leader_ : held->assigned_by;
  running_.erase(held);
  recent_.push_back({task->id, env.self()});
  if (recent_.size() > most_recent) recent_.pop_front();
  env.send(to, recent_.back());
  run(env);
}

void Worker::on(Env& env, PeerId from, const Roster& message) {
  if (message.epoch < epoch_ || (from != leader_ && message.epoch == epoch_)) return;
  const bool mine = std::any_of(message.members.begin(), message.members.end(),
                                [&](const Member& m) { return m.id == env.self(); });
  if (!mine) return;
  follow(env, from, message.epoch, "join");
  roster_ = message.members;
  edges_ = message.edges;
}

void Worker::on(Env& env, PeerId from, const Follow& message) {
  if (message.epoch <= epoch_ && from != leader_) return;
  follow(env, message.leader, message.epoch, from == message.leader ? "election" : "reorganised");
}

void Worker::tick(Env& env, PeerId queue) {
  if (leader_ != core::nobody && env.now() - last_heard_ > 2 * options_.timeout) {
    leader_ = core::nobody;  // nobody succeeded it: the queue will know a group
    env.note({.name = facts::group_changed, .other = core::nobody, .reason = "leader lost"});
  }
  if (leader_ == core::nobody) {
    env.send(queue, Join{slots()});
    return;
  }
  WorkerAlive alive{slots(), {}};
  for (const Held& held : running_) alive.holding.push_back(held.task.id);
  for (const Held& held : waiting_) alive.holding.push_back(held.task.id);
  env.send(leader_, alive);
}

std::optional<Worker::Inheritance> Worker::claim(const Env& env) const {
  if (leader_ == core::nobody || leader_ == env.self() || roster_.empty()) return {};
  std::int64_t rank = 0;
  Inheritance inheritance{epoch_ + 1, {}, edges_};
  for (const Member& member : roster_) {
    if (member.id < env.self()) ++rank;
    if (member.id != env.self()) inheritance.members.push_back(member);
  }
  const Duration patience = options_.timeout + rank * options_.heartbeat();
  if (env.now() - last_heard_ <= patience) return {};
  return inheritance;
}

}  // namespace rhizome::agents::traffic
