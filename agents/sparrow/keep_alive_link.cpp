#include "agents/sparrow/keep_alive_link.hpp"

namespace rhizome::agents::sparrow {

// In a first life no peer has to ask at once, and not all peers should ask at the same time later.
void KeepAliveLink::start(Env& env) {
  const bool later_life = env.incarnation().value > 0;
  watch_.start(env.now(), later_life);
  if (later_life) {
    on(env, HelloDue{});
    return;
  }
  const core::Duration later{env.rng().between(0, watch_.quiet().count())};
  greeting_ = env.after(watch_.quiet() + later, HelloDue{});
}

void KeepAliveLink::on(Env&, PeerId, const Welcome&) { watch_.welcomed(); }

void KeepAliveLink::on(Env& env, PeerId from, const Over&) {
  env.send(from, OverToo{});
  told_ = true;
}

void KeepAliveLink::on(Env& env, const HelloDue& due) {
  const auto look = watch_.look(env);
  if (!look) return;
  if (look->asks) env.send(source_, Hello{env.incarnation().value});
  greeting_ = env.after(look->next, due);
}

void KeepAliveLink::stop(Env& env) const { env.cancel(greeting_); }

}  // namespace rhizome::agents::sparrow
