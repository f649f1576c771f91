#include "agents/organic_grid/membership.hpp"

#include <algorithm>

namespace rhizome::agents::grid {

void Membership::join(Env& env, PeerId leader, Home& home) {
  const bool joins = leader != leader_;
  if (joins) epoch_ = home.next_epoch();
  leader_ = leader;
  last_heard_ = last_sent_ = env.now();
  env.send(leader, Enlisted{epoch_, executor_.capacity().room()});
  if (joins) env.note(GroupChanged{leader, "join"});
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
  if (!is(from, message.epoch)) return;
  last_heard_ = env.now();
  // The answer was lost, or this is a second copy.
  if (const auto done = done_.find(message.task.id); done != done_.end()) {
    env.send(leader_, Done{epoch_, product_of(message.task), done->second});
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

void Membership::executed(Env& env, const Task& task, Duration took) {
  running_.erase(task.id);
  const double pace = pace_of(task, took);
  done_[task.id] = pace;
  env.send(leader_, Done{epoch_, product_of(task), pace});
  last_sent_ = env.now();
  run(env);
}

bool Membership::tick(Env& env) {
  if (env.now() - last_heard_ > options_.timeout) return false;
  const Duration quiet = options_.heartbeat();
  if (env.now() - last_sent_ < quiet && env.now() - last_heard_ < quiet) return true;
  WorkerAlive alive{epoch_, {running_.begin(), running_.end()}};
  for (const Task& task : waiting_) alive.holding.push_back(task.id);
  env.send(leader_, alive);
  last_sent_ = env.now();
  return true;
}

}  // namespace rhizome::agents::grid
