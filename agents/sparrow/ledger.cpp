#include "agents/sparrow/ledger.hpp"

#include <algorithm>
#include <utility>

#include "agents/pieces.hpp"

namespace rhizome::agents::sparrow {

Ledger::Ledger(const Options& options, const World& world, const overlay::HashRing& ring,
               overlay::FailureDetector& detector)
    : options_(options), world_(world), ring_(ring), detector_(detector) {}

// The results that a former life knew are lost, and no other peer knows them.
void Ledger::start(Env& env) {
  if (env.incarnation() == world_.first_life(env.self())) return;
  env.note(RunFailed{env.self(), "the source began anew"});
  end(env);
}

void Ledger::on(Env& env, const Submitted& job) { enter(env, {env.self(), job.job, job.tasks}); }

void Ledger::on(Env& env, const Announced& job) { enter(env, job); }

void Ledger::on(Env& env, const Drained&) { end(env); }

void Ledger::on(Env& env, const overlay::PingRound&) { remind(env); }

void Ledger::on(Env& env, const overlay::Liveness& news) {
  if (news.kind == overlay::Liveness::Kind::alive) {
    greet(env, news.peer);
    disown(env, news.peer);
  }
  if (news.gone()) bury(env, news.peer);
}

// A job that was handed in at a dead peer is lost there. More tasks of a graph come as tasks are
// done: the first master has released those by itself, and another master gets them from here.
void Ledger::enter(Env& env, const Announced& job) {
  if (over_) return;
  if (jobs_.size() <= job.job) jobs_.resize(job.job + 1);
  Entry& entry = jobs_[job.job];
  for (const Task& task : job.tasks) entry.left.add(task);
  if (entry.handed_over) {
    for (const Task& task : job.tasks) give(env, task.id, entry.master);
    adopt(env);
    return;
  }
  entry.master = job.at;
  if (!detector_.thinks_dead(job.at)) {
    watch(env, job.at);
    return;
  }
  lost_[job.at].insert(job.job);
  hand_over(env, job.job);
  adopt(env);
}

// Watches a master from its first job on. A master that has not announced a later life should be in
// its first life.
void Ledger::watch(Env& env, PeerId master) {
  if (master == env.self() || !watched_.insert(master).second) return;
  if (lives_.contains(master)) {
    detector_.watch(master);
  } else {
    detector_.watch_first_life(master);
  }
}

// A report that overtook the announcement of its job is not acknowledged, so it comes again.
void Ledger::on(Env& env, PeerId from, const Report& message) {
  if (!over_ && !knows(message.task.job)) return;
  env.send(from, Noted{message.task});
  if (over_) tell(env, from);
  env.raise(Finished{message.task, message.executor});
  close(message.task);
}

void Ledger::close(TaskId task) {
  if (task.job >= jobs_.size() || !jobs_[task.job].left.close(task.portion)) return;
  const auto found = adopting_.find(jobs_[task.job].master);
  if (found != adopting_.end()) found->second.erase(task);
}

// Done tasks are not given away; the ring of the living peers says which peer gets the others.
void Ledger::bury(Env& env, PeerId master) {
  if (over_ && detector_.thinks_dead(master) && untold_.erase(master) > 0) {
    detector_.unwatch(master);
    rest(env);
  }
  adopting_.erase(master);
  Jobs jobs;
  for (std::uint32_t job = 0; job < jobs_.size(); ++job)
    if (!jobs_[job].left.empty() && jobs_[job].master == master) jobs.insert(job);
  const bool was_watched = watched_.erase(master) > 0;
  for (const std::uint32_t job : jobs) hand_over(env, job);
  if (was_watched) detector_.unwatch(master);  // last: it may be its own successor
  if (jobs.empty()) return;
  if (detector_.thinks_dead(master)) lost_[master].insert(jobs.begin(), jobs.end());
  adopt(env);
}

// The order is repeated until it is acknowledged, from the next order on.
void Ledger::give(Env& env, TaskId task, PeerId successor) {
  adopting_[successor][task] = orders_ + 1;
  note_handed(env, task, successor);
}

void Ledger::hand_over(Env& env, std::uint32_t job) {
  const PeerId successor =
      ring_.owner(job, [this](PeerId peer) { return !detector_.thinks_dead(peer); });
  Entry& entry = jobs_[job];
  entry.master = successor;
  entry.handed_over = true;
  watch(env, successor);
  entry.left.for_each([&](const Task& task) { give(env, task.id, successor); });
  if (const auto back = lost_.find(successor); back != lost_.end()) back->second.erase(job);
}

// A peer that was cut off, or has restarted, may not have heard of the end.
void Ledger::greet(Env& env, PeerId peer) {
  if (!over_ || !untold_.insert(peer).second) return;
  detector_.watch(peer);
  env.send(peer, Over{}, core::Cause::recovery);
}

// The peer was only cut off, and its jobs belong to other masters now.
void Ledger::disown(Env& env, PeerId peer) {
  const auto lost = lost_.find(peer);
  if (lost == lost_.end()) return;
  std::vector<TaskId> tasks;
  for (const std::uint32_t job : lost->second)
    jobs_[job].left.for_each([&](const Task& task) { tasks.push_back(task.id); });
  if (!over_) order<Disown>(env, peer, tasks, ++orders_);
  lost_.erase(lost);
}

template <class M, class T>
void Ledger::order(Env& env, PeerId to, const std::vector<T>& items, std::uint64_t number) {
  in_pieces(items, [&](std::size_t, std::vector<T> piece) {
    env.send(to, M{std::move(piece), number});
  });
}

void Ledger::adopt(Env& env) {
  ++orders_;
  for (const auto& [successor, ids] : adopting_) {
    std::vector<Task> tasks;
    for (const auto& [id, since] : ids) tasks.push_back(jobs_[id.job].left.at(id.portion));
    order<Adopt>(env, successor, tasks, orders_);
  }
  if (!std::exchange(repeats_, true)) repeating_ = env.after(options_.probe_timeout, AdoptDue{});
}

void Ledger::on(Env& env, const AdoptDue&) {
  repeats_ = false;
  std::erase_if(adopting_, [](const auto& item) { return item.second.empty(); });
  if (!adopting_.empty()) adopt(env);
}

// An earlier life of the successor may have acknowledged an earlier order, which does not count.
void Ledger::on(Env&, PeerId from, const Adopted& message) {
  const auto found = adopting_.find(from);
  if (found == adopting_.end()) return;
  for (const TaskId task : message.tasks) {
    const auto given = found->second.find(task);
    if (given != found->second.end() && given->second <= message.order) found->second.erase(given);
  }
}

// A peer that has not acknowledged the end is watched and reminded until it has, or is dead.
void Ledger::end(Env& env) {
  if (std::exchange(over_, true)) return;
  env.cancel(repeating_);
  for (const PeerId master : std::exchange(watched_, {})) detector_.unwatch(master);
  for (const PeerId peer : world_.others(env.self())) {
    env.send(peer, Over{});
    if (detector_.thinks_dead(peer)) continue;
    detector_.watch(peer);
    untold_.insert(peer);
  }
  ending_ = env.after(options_.probe_timeout, OverDue{});
  rest(env);
}

// The source need not tell itself.
void Ledger::tell(Env& env, PeerId peer) {
  if (peer != env.self()) env.send(peer, Over{});
}

void Ledger::on(Env& env, const OverDue&) {
  closed_ = true;
  remind(env);
}

void Ledger::remind(Env& env) {
  if (!closed_) return;
  for (const PeerId peer : untold_) env.send(peer, Over{}, core::Cause::recovery);
}

void Ledger::on(Env& env, PeerId from, const OverToo&) {
  if (untold_.erase(from) == 0) return;
  detector_.unwatch(from);
  rest(env);
}

// A Hello tells of a restart sooner than the failure detector. A Hello of an older life comes too
// late.
void Ledger::on(Env& env, PeerId from, const Hello& message) {
  if (over_) {
    tell(env, from);
    return;
  }
  std::uint32_t& life = lives_[from];
  if (life < message.life) bury(env, from);
  life = std::max(life, message.life);
  env.send(from, Welcome{});
}

void Ledger::rest(Env& env) {
  if (!untold_.empty()) return;
  closed_ = true;
  env.cancel(ending_);
}

}  // namespace rhizome::agents::sparrow
