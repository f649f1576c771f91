#include "agents/sparrow/group_service.hpp"

namespace rhizome::agents::sparrow {

// A leader that asks again may not have heard the answer.
void GroupService::on(Env& env, PeerId from, const CallUp& message) {
  const bool mine = leader_ == from && job_ == message.job;
  if (leader_ != core::no_peer && !mine) {
    env.send(from, Declined{message.job});
    return;
  }
  if (!mine) {
    leader_ = from;
    job_ = message.job;
    due_ = env.after(2 * options_.group_hold, PostDue{});
  }
  served_ = true;
  env.send(from, Enlisted{job_, env.incarnation().value, own_.room(), own_.speed});
}

void GroupService::on(Env& env, PeerId from, const Dismiss& message) {
  if (leader_ == from && job_ == message.job) leave(env);
}

void GroupService::on(Env& env, const PostDue& due) {
  if (!worker_.serves(leader_) && !std::exchange(served_, false)) {
    leave(env);
    return;
  }
  due_ = env.after(2 * options_.group_hold, due);
}

void GroupService::on(Env& env, const overlay::Liveness& news) {
  if (news.gone() && news.peer == leader_) leave(env);
}

void GroupService::leave(Env& env) {
  if (leader_ != core::no_peer) env.cancel(due_);
  leader_ = core::no_peer;
}

}  // namespace rhizome::agents::sparrow
