#include "agents/organic_grid/membership.hpp"

#include <algorithm>

namespace rhizome::agents::grid {

void Membership::join(Env& env, PeerId leader) {
  leader_ = leader;
  last_heard_ = last_sent_ = env.now();
  env.send(leader, Enlisted{executor_.capacity().room()});
  env.note(GroupChanged{leader, "join"});
}

void Membership::leave(Env& env, std::string_view reason) {
  if (!working()) return;
  env.note(GroupChanged{core::nobody, std::string(reason)});
  env.note(GroupChanged{env.self(), "alone"});
  leader_ = core::nobody;
  waiting_.clear();
  running_.clear();
  done_.clear();
  executor_.stop_all(env);
}

void Membership::on(Env& env, PeerId from, const Assign& message) {
  if (from != leader_) return;
  last_heard_ = env.now();
  if (done_.contains(message.task.id)) {  // the answer was lost, or this is a second copy
    env.send(leader_, Done{product_of(message.task)});
    return;
  }
  const bool known = running_.contains(message.task.id) ||
                     std::any_of(waiting_.begin(), waiting_.end(),
                                 [&](const Task& t) { return t.id == message.task.id; });
  if (known) return;
  waiting_.push_back(message.task);
  run(env);
}

void Membership::run(Env& env) {
  for (; !waiting_.empty() && executor_.fits(waiting_.front()); waiting_.pop_front()) {
    running_.insert(waiting_.front().id);
    executor_.start(env, waiting_.front());
  }
}

void Membership::on(Env& env, PeerId from, const LeaderAlive&) {
  if (from == leader_) last_heard_ = env.now();
}

void Membership::executed(Env& env, const Task& task) {
  running_.erase(task.id);
  done_.insert(task.id);
  env.send(leader_, Done{product_of(task)});
  last_sent_ = env.now();
  run(env);
}

bool Membership::tick(Env& env) {
  if (env.now() - last_heard_ > options_.timeout) return false;
  const Duration quiet = options_.heartbeat();
  if (env.now() - last_sent_ < quiet && env.now() - last_heard_ < quiet) return true;
  WorkerAlive alive{{running_.begin(), running_.end()}};
  for (const Task& task : waiting_) alive.holding.push_back(task.id);
  env.send(leader_, alive);
  last_sent_ = env.now();
  return true;
}

}  // namespace rhizome::agents::grid
