#include "agents/provision/provisioner.hpp"

namespace rhizome::agents::provision {

Provisioner::Provisioner(PeerId self, PeerId source, const NodePlan& plan)
    : source_(source), plan_(plan) {
  node_ = is_node(self);
  if (self == source) reserve_.emplace(plan);
}

// The reserve knows the nodes that are there from the start.
void Provisioner::start(Env& env) {
  if (reserve_) reserve_->start(env);
  if (node_ && env.incarnation() != core::Incarnation{})
    env.send(source_, Here{env.incarnation().value});
}

void Provisioner::on(Env&, const JobArrives& arrival) {
  if (reserve_) reserve_->arrives(arrival.job);
}
void Provisioner::on(Env&, const ClusterSeen& seen) {
  if (reserve_) reserve_->on(seen);
}
void Provisioner::on(Env& env, const NodeReady& ready) {
  if (reserve_) reserve_->on(env, ready);
}
void Provisioner::on(Env& env, const NodeLost& lost) {
  if (reserve_ && is_node(lost.node)) env.note(NodeDied{lost.node, lost.tasks});
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
void Provisioner::on(Env& env, PeerId from, const IdleNode& message) {
  reserve_->on(env, from, message);
}

void Provisioner::on(Env& env, PeerId, const Drain&) {
  if (!std::exchange(draining_, true)) env.raise(Draining{});
}

void Provisioner::on(Env& env, const Vacated&) {
  if (!draining_) return;
  env.send(source_, Gone{env.incarnation().value});
  env.quit();
}

// The reserve needs to know idle nodes only if there is a probation.
void Provisioner::on(Env& env, const Resting& resting) {
  if (!node_ || plan_.options.probation == core::Duration::zero()) return;
  env.cancel(std::exchange(probation_, {}));
  if (resting.rests)
    probation_ = env.after(plan_.options.probation, ProbationDue{});
  else if (std::exchange(told_idle_, false))
    env.send(source_, IdleNode{env.incarnation().value, false});
}

void Provisioner::on(Env& env, const ProbationDue&) {
  told_idle_ = true;
  env.send(source_, IdleNode{env.incarnation().value, true});
}

}  // namespace rhizome::agents::provision
