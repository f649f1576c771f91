#include "agents/organic_grid/tree/parent_lease.hpp"

#include <span>

namespace rhizome::agents::grid {

template <class M>
void ParentLease::heard(Env& env, const M& message) {
  parts_.up.heard(env, message.acknowledged);
  lineage_.learn(message.age, env.now());
  parts_.moves.learn_ancestors(env, message.ancestors);
  if (lineage_.has(env.self())) parts_.moves.orphan(env, "cycle");
}

void ParentLease::on(Env& env, PeerId from, const Supply& message) {
  // Whoever sent it takes it back when we have left.
  if (!parts_.up.is(from, message.epoch)) return;
  const std::size_t old = parts_.up.take(message.first, message.tasks.size());
  parts_.stock.add(std::span(message.tasks).subspan(old));
  heard(env, message);
}

void ParentLease::on(Env& env, PeerId from, const AliveToo& message) {
  if (parts_.up.is(from, message.epoch)) heard(env, message);
}

// The parent has lost its state, and with it our results on their way up.
void ParentLease::on(Env& env, PeerId from, const Stranger& message) {
  if (parts_.up.is(from, message.epoch)) parts_.moves.orphan(env, "recovery");
}

void ParentLease::tick(Env& env) {
  if (parts_.up.silent(env.now())) {
    parts_.missing.add(parts_.up.parent());
    parts_.moves.orphan(env, "recovery");
  } else {
    parts_.moves.tick(env);
  }
  if (parts_.up.attached()) parts_.up.say_alive(env);
}

}  // namespace rhizome::agents::grid
