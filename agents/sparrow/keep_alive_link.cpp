#include "agents/sparrow/keep_alive_link.hpp"

namespace rhizome::agents::sparrow {

// In a first life no peer has to ask at once, and not all peers should ask at the same time later.
void KeepAliveLink::start(Env& env) {
  heard_ = env.now();
  if (env.incarnation().value > 0) {
    on(env, HelloDue{});
    return;
  }
  welcome_ = true;
  const core::Duration later{env.rng().between(0, patience().count())};
  greeting_ = env.after(patience() + later, HelloDue{});
}

void KeepAliveLink::on(Env&, PeerId, const Welcome&) { welcome_ = true; }

void KeepAliveLink::on(Env& env, PeerId from, const Over&) {
  env.send(from, OverToo{});
  told_ = true;
}

// Asks until the source answers.
void KeepAliveLink::on(Env& env, const HelloDue&) {
  const core::Duration silence = env.now() - heard_;
  if (silence >= options_.give_up) {
    gave_up_ = true;
    env.note(RunFailed{source_, "the source is out of reach"});
    return;
  }
  const bool asks = !welcome_ || silence >= patience();
  if (!asks) asked_ = 0;
  if (asks) env.send(source_, Hello{env.incarnation().value});
  greeting_ = env.after(asks ? backoff_.wait(asked_++) : patience() - silence, HelloDue{});
}

void KeepAliveLink::stop(Env& env) const { env.cancel(greeting_); }

}  // namespace rhizome::agents::sparrow
