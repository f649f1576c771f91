#include "agents/organic_grid/membership.hpp"

namespace rhizome::agents::grid {

void Membership::join(Env& env, PeerId leader, Home& home) {
  const bool joins = leader != leader_;
  if (joins) epoch_ = home.next_epoch();
  leader_ = leader;
  last_heard_ = last_sent_ = env.now();
  env.send(leader, Enlisted{epoch_, server_.capacity().room()});
  if (joins) env.note(GroupChanged{leader, "join"});
}

void Membership::leave(Env& env, std::string_view reason) {
  if (!working()) return;
  env.note(GroupChanged{core::no_peer, std::string(reason)});
  env.note(GroupChanged{env.self(), "alone"});
  leader_ = core::no_peer;
  held_.clear();
  done_.clear();
  server_.stop(env);
}

void Membership::on(Env& env, PeerId from, const Assign& message) {
  if (!is(from, message.epoch)) return;
  last_heard_ = env.now();
  // The answer was lost, or this is a second copy.
  if (const auto done = done_.find(message.task.id); done != done_.end()) {
    env.send(leader_, Done{epoch_, product_of(message.task), done->second});
    return;
  }
  if (held_.insert(message.task.id).second) server_.accept(env, message.task);
}

void Membership::on(Env& env, PeerId from, const LeaderAlive&) {
  if (from == leader_) last_heard_ = env.now();
}

void Membership::executed(Env& env, const Task& task, Duration service) {
  held_.erase(task.id);
  const double pace = pace_of(task, service);
  done_[task.id] = pace;
  env.send(leader_, Done{epoch_, product_of(task), pace});
  last_sent_ = env.now();
}

bool Membership::tick(Env& env) {
  if (env.now() - last_heard_ > options_.timeout) return false;
  const Duration quiet = options_.heartbeat();
  if (env.now() - last_sent_ < quiet && env.now() - last_heard_ < quiet) return true;
  env.send(leader_, WorkerAlive{epoch_, {held_.begin(), held_.end()}});
  last_sent_ = env.now();
  return true;
}

}  // namespace rhizome::agents::grid
