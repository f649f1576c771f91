#include "agents/sparrow/ledger.hpp"

#include <utility>

#include "agents/facts.hpp"
#include "agents/sparrow/sparrow.hpp"

namespace rhizome::agents::sparrow {

Ledger::Ledger(const Options& options, const World& world, const overlay::HashRing& ring,
               overlay::FailureDetector& detector)
    : options_(options),
      world_(world),
      ring_(ring),
      detector_(detector),
      total_(world.workload.tasks()) {
  for (const Job& job : world.workload.jobs) {
    left_.push_back(job.portions.size());
    for (const Task& task : job.portions) open_[master_of(ring, job.id)].insert(task.id);
  }
}

void Ledger::start(Env& env) {
  for (const auto& [master, tasks] : open_)
    if (master != env.self()) detector_.watch_first_life(master);
}

void Ledger::on(Env& env, PeerId from, const Report& message) {
  env.send(from, Noted{message.task});
  if (over_) env.send(from, Over{});
  if (!done_.insert(message.task).second) {
    env.note(facts::about(facts::task_duplicate, message.task, message.executor));
    return;
  }
  env.note(facts::about(facts::task_completed, message.task, message.executor));
  if (--left_[message.task.job] == 0)
    env.note({.name = facts::job_completed, .subject = message.task.job});
  for (auto& [master, tasks] : open_)
    if (tasks.erase(message.task) > 0 && tasks.empty() && master != env.self())
      detector_.unwatch(master);
  for (auto& [heir, tasks] : adopting_) tasks.erase(message.task);
  if (over()) end(env);
}

// What is done is not given away; to whom it goes, the ring of the living says.
void Ledger::bury(Env& env, PeerId master) {
  if (over_ && detector_.thinks_dead(master) && untold_.erase(master) > 0) {
    detector_.unwatch(master);
    rest(env);
  }
  const std::set<TaskId> tasks = std::exchange(open_[master], {});
  adopting_.erase(master);
  if (tasks.empty()) return;
  for (const TaskId task : tasks) {
    const PeerId heir =
        ring_.owner(task.job, [this](PeerId peer) { return !detector_.thinks_dead(peer); });
    if (open_[heir].empty() && heir != env.self()) detector_.watch(heir);
    open_[heir].insert(task);
    adopting_[heir].insert(task);
    if (const auto back = lost_.find(heir); back != lost_.end()) back->second.erase(task);
  }
  if (master != env.self()) detector_.unwatch(master);  // last: it may be its own heir
  if (detector_.thinks_dead(master)) lost_[master].insert(tasks.begin(), tasks.end());
  adopt(env);
}

// It was cut off, or begins anew; it may not have heard of the end. Once the source rests it does
// not wait for an answer, but says it more than once, since one message may be lost.
void Ledger::greet(Env& env, PeerId peer) {
  if (!over_) return;
  if (closed()) {
    constexpr int copies = 3;
    for (int i = 0; i < copies; ++i) env.send(peer, Over{}, core::Cause::recovery);
  } else if (untold_.insert(peer).second) {
    detector_.watch(peer);
    env.send(peer, Over{});
  }
}

// It was cut off only, and what it had is with others now.
void Ledger::disown(Env& env, PeerId peer) {
  const auto lost = lost_.find(peer);
  if (lost == lost_.end()) return;
  if (!over_) env.send(peer, Disown{{lost->second.begin(), lost->second.end()}});
  lost_.erase(lost);
}

void Ledger::adopt(Env& env) {
  for (const auto& [heir, tasks] : adopting_)
    if (!tasks.empty()) env.send(heir, Adopt{{tasks.begin(), tasks.end()}});
  if (!std::exchange(repeats_, true)) repeating_ = env.after(options_.probe_timeout, AdoptDue{});
}

void Ledger::on(Env& env, const AdoptDue&) {
  repeats_ = false;
  std::erase_if(adopting_, [](const auto& item) { return item.second.empty(); });
  if (!adopting_.empty()) adopt(env);
}

void Ledger::on(Env&, PeerId from, const Adopted& message) {
  for (const TaskId task : message.tasks) adopting_[from].erase(task);
}

// Whoever has not acknowledged the end is watched until it has, or is dead.
void Ledger::end(Env& env) {
  over_ = true;
  env.cancel(repeating_);
  for (std::uint32_t i = 0; i < world_.peers(); ++i) {
    const PeerId peer{i};
    if (peer == env.self()) continue;
    env.send(peer, Over{});
    if (detector_.thinks_dead(peer)) continue;
    detector_.watch(peer);
    untold_.insert(peer);
  }
  ending_ = env.after(options_.probe_timeout, OverDue{});
  rest(env);
}

void Ledger::on(Env& env, const OverDue&) {
  for (const PeerId peer : untold_) env.send(peer, Over{}, core::Cause::recovery);
  ending_ = env.after(options_.probe_timeout, OverDue{});
}

void Ledger::on(Env& env, PeerId from, const OverToo&) {
  if (untold_.erase(from) == 0) return;
  detector_.unwatch(from);
  rest(env);
}

// Sooner than the failure detector says it.
void Ledger::on(Env& env, PeerId from, const Hello& message) {
  if (over_) {
    env.send(from, Over{});
    return;
  }
  if (std::exchange(lives_[from], message.life) < message.life) bury(env, from);
  env.send(from, Welcome{});
}

void Ledger::rest(Env& env) {
  if (untold_.empty()) env.cancel(ending_);
}

}  // namespace rhizome::agents::sparrow
