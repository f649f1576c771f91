#include "agents/organic_grid/tree/parent_lease.hpp"

#include <span>

namespace rhizome::agents::grid {

template <class M>
void ParentLease::heard(Env& env, const M& message) {
  up_.heard(env, message.acknowledged);
  lineage_.learn(message.age, env.now());
  moves_.learn_ancestors(env, message.ancestors);
  if (lineage_.has(env.self())) moves_.orphan(env, "cycle");
}

void ParentLease::on(Env& env, PeerId from, const Supply& message) {
  if (!up_.is(from, message.epoch)) return;  // its sender takes it back when we have left
  const std::size_t old = up_.take(message.first, message.tasks.size());
  stock_.add(std::span(message.tasks).subspan(old));
  heard(env, message);
}

void ParentLease::on(Env& env, PeerId from, const AliveToo& message) {
  if (up_.is(from, message.epoch)) heard(env, message);
}

// The parent has lost its state, and with it our results on their way up.
void ParentLease::on(Env& env, PeerId from, const Stranger& message) {
  if (up_.is(from, message.epoch)) moves_.orphan(env, "recovery");
}

void ParentLease::tick(Env& env) {
  if (up_.silent(env.now())) {
    missing_.add(up_.parent());
    moves_.orphan(env, "recovery");
  } else {
    moves_.tick(env);
  }
  if (up_.attached()) up_.say_alive(env);
}

}  // namespace rhizome::agents::grid
