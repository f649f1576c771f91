// The held nodes: the policy's change is made as far as the cluster has idle nodes, and as far as
// nodes have passed their probation.
#include <algorithm>

#include "agents/provision/provisioner.hpp"

namespace rhizome::agents::provision {

void Reserve::start(Env& env) {
  for (std::uint32_t i = 0; i < plan_.at_start && cluster_.reserve(); ++i) {
    const PeerId node = plan_.nodes[i];
    held_[node] = {.state = State::works, .turn = turns_++};
    env.note(NodeReserved{node});
  }
  interval_ = env.after(plan_.options.interval, IntervalDue{});
}

void Reserve::on(Env& env, const IntervalDue&) {
  interval_ = env.after(plan_.options.interval, IntervalDue{});
  decide(env);
}

void Reserve::decide(Env& env) {
  cluster_.advance(env.now());
  for (const auto& [node, held] : held_)
    if (held.state == State::drains) env.send(node, Drain{});
  const Situation now = situation();
  const std::int64_t change = change_of(plan_.options, now);
  const Reading reading = read_index(plan_.options, now);
  env.note(IndexRead{reading.goal, reading.demand, reading.queue, reading.index, now.reserved,
                     static_cast<double>(change)});
  for (std::int64_t i = 0; i < change; ++i) add(env);
  for (std::int64_t i = 0; i > change; --i) drain(env);
  tell_waits(env);
}

Situation Reserve::situation() const {
  Situation now{.limits = plan_.limits, .reserved = reserved(), .cluster = cluster_.state()};
  for (const auto& [id, job] : jobs_) now.jobs.push_back({job.tasks, job.tasks - job.done.size()});
  return now;
}

std::uint32_t Reserve::reserved() const {
  return static_cast<std::uint32_t>(std::count_if(held_.begin(), held_.end(), [](const auto& item) {
    return item.second.state != State::drains;
  }));
}

// Reserves the first node that is not held, if the cluster has an idle one.
void Reserve::add(Env& env) {
  const auto free = std::find_if(plan_.nodes.begin(), plan_.nodes.end(),
                                 [this](PeerId node) { return !held_.contains(node); });
  if (free == plan_.nodes.end() || !cluster_.reserve()) return;
  held_[*free] = {.turn = turns_++};
  // A real node says itself that it is ready.
  if (!plan_.real) held_[*free].start = env.after(plan_.options.startup, StartDue{*free});
  env.note(NodeReserved{*free});
}

// Drains the node that has been idle longest if there is a probation, otherwise the latest node.
void Reserve::drain(Env& env) {
  const bool probation = plan_.options.probation > core::Duration::zero();
  HeldNode* chosen = nullptr;
  PeerId which;
  for (auto& [node, held] : held_) {
    if (held.state != State::works || (probation && !held.idle_since)) continue;
    const bool better = chosen == nullptr || (probation ? held.idle_since < chosen->idle_since
                                                        : held.turn > chosen->turn);
    if (!better) continue;
    chosen = &held;
    which = node;
  }
  if (chosen == nullptr) return;
  chosen->state = State::drains;
  env.note(NodeDrains{which});
  env.send(which, Drain{});
}

void Reserve::on(Env& env, const StartDue& due) { env.launch(due.node); }

void Reserve::on(Env& env, const NodeReady& ready) {
  const auto held = held_.find(ready.node);
  if (held != held_.end() && held->second.state == State::starts) env.launch(ready.node);
}

void Reserve::on(Env&, PeerId from, const Here& message) {
  const auto held = held_.find(from);
  const auto ended = ended_.find(from);
  if (held == held_.end() || held->second.state != State::starts) return;
  if (ended != ended_.end() && message.life <= ended->second) return;
  held->second.state = State::works;
  held->second.life = message.life;
}

Reserve::HeldNode* Reserve::find(PeerId node, std::uint32_t life) {
  const auto held = held_.find(node);
  const bool present = held != held_.end() && held->second.state != State::starts;
  return present && held->second.life == life ? &held->second : nullptr;
}

void Reserve::on(Env& env, PeerId from, const Gone& message) {
  const HeldNode* held = find(from, message.life);
  if (held == nullptr || held->state != State::drains) return;
  held_.erase(from);
  ended_[from] = message.life;
  cluster_.advance(env.now());
  cluster_.release();
  env.note(NodeReleased{from});
  tell_waits(env);
}

void Reserve::on(Env& env, PeerId from, const IdleNode& message) {
  if (HeldNode* held = find(from, message.life))
    held->idle_since = message.idle ? std::optional(env.now()) : std::nullopt;
}

void Reserve::tell_waits(Env& env) {
  for (const core::Duration waited : cluster_.waits()) env.note(OtherJobBegan{waited});
}

void Reserve::arrives(const Job& job) { jobs_[job.id].tasks += job.portions.size(); }

void Reserve::done(TaskId task) {
  const auto job = jobs_.find(task.job);
  if (job == jobs_.end()) return;
  job->second.done.insert(task.portion);
  if (job->second.done.size() == job->second.tasks) jobs_.erase(job);
}

void Reserve::end(Env& env) {
  env.cancel(interval_);
  for (auto& [node, held] : held_) env.cancel(held.start);
  cluster_.advance(env.now());
  tell_waits(env);
}

}  // namespace rhizome::agents::provision
