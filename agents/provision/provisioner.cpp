#include "agents/provision/provisioner.hpp"

#include <algorithm>

namespace rhizome::agents::provision {

Provisioner::Provisioner(PeerId self, PeerId source, const Plan& plan)
    : source_(source), plan_(plan) {
  node_ = std::find(plan.nodes.begin(), plan.nodes.end(), self) != plan.nodes.end();
  if (self == source) reserve_.emplace(plan);
}

// Those that are there from the start are known to be.
void Provisioner::start(Env& env) {
  if (reserve_) reserve_->start(env);
  if (node_ && env.incarnation() != core::Incarnation{}) env.send(source_, Here{});
}

void Provisioner::on(Env&, const JobArrives& arrival) {
  if (reserve_) reserve_->arrives(arrival.job);
}
void Provisioner::on(Env&, const Finished& finished) {
  if (reserve_) reserve_->done(finished.task);
}
void Provisioner::on(Env& env, const Drained&) {
  if (reserve_) reserve_->end(env);
}
void Provisioner::on(Env& env, const IntervalDue& due) { reserve_->on(env, due); }
void Provisioner::on(Env& env, const StartDue& due) { reserve_->on(env, due); }
void Provisioner::on(Env& env, PeerId from, const Here& message) {
  reserve_->on(env, from, message);
}
void Provisioner::on(Env& env, PeerId from, const Gone& message) {
  reserve_->on(env, from, message);
}
void Provisioner::on(Env& env, PeerId from, const Idle& message) {
  reserve_->on(env, from, message);
}

void Provisioner::on(Env& env, PeerId, const Drain&) {
  if (!std::exchange(draining_, true)) env.raise(Draining{});
}

void Provisioner::on(Env& env, const Vacated&) {
  if (!draining_) return;
  env.send(source_, Gone{});
  env.quit();
}

// Word of it is sent only where a probation has to be over before a node is asked to leave.
void Provisioner::on(Env& env, const Resting& resting) {
  if (!node_ || plan_.options.probation == core::Duration::zero()) return;
  env.cancel(std::exchange(probation_, {}));
  if (resting.rests)
    probation_ = env.after(plan_.options.probation, ProbationDue{});
  else if (std::exchange(told_idle_, false))
    env.send(source_, Idle{false});
}

void Provisioner::on(Env& env, const ProbationDue&) {
  told_idle_ = true;
  env.send(source_, Idle{true});
}

}  // namespace rhizome::agents::provision
