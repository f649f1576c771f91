#include "agents/sparrow/ledger.hpp"

#include <algorithm>
#include <utility>

#include "agents/sparrow/sparrow.hpp"

namespace rhizome::agents::sparrow {

Ledger::Ledger(const Options& options, const World& world, const overlay::HashRing& ring,
               overlay::FailureDetector& detector)
    : options_(options), world_(world), ring_(ring), detector_(detector) {
  for (const Job& job : world.workload.jobs) {
    const std::size_t portions = job.portions.size();
    jobs_.push_back({ring.owner(job.id), std::vector<bool>(portions), portions});
    if (portions == 0) continue;
    ++jobs_left_;
    ++open_[jobs_.back().master];
  }
}

// What a former life knew of the results is lost, and nobody else knows it.
void Ledger::start(Env& env) {
  if (env.incarnation() != world_.source_begins) {
    env.note(RunFailed{env.self(), "the source began anew"});
    end(env);
    return;
  }
  for (const auto& [master, jobs] : open_)
    if (master != env.self()) detector_.watch_first_life(master);
}

void Ledger::on(Env& env, PeerId from, const Report& message) {
  env.send(from, Noted{message.task});
  if (over_) tell(env, from);
  if (!close(message.task)) {
    env.note(TaskDuplicate{message.task, message.executor});
    return;
  }
  env.note(TaskCompleted{message.task, message.executor});
  if (jobs_[message.task.job].left == 0) close_job(env, message.task.job);
}

// False when it was done already.
bool Ledger::close(TaskId task) {
  Entry& entry = jobs_[task.job];
  if (entry.done[task.portion]) return false;
  entry.done[task.portion] = true;
  --entry.left;
  return true;
}

void Ledger::close_job(Env& env, std::uint32_t job) {
  env.note(JobCompleted{job});
  const PeerId master = jobs_[job].master;
  if (const auto found = adopting_.find(master); found != adopting_.end()) found->second.erase(job);
  if (--open_[master] == 0 && master != env.self()) detector_.unwatch(master);
  if (--jobs_left_ == 0) end(env);
}

// What is done is not given away; to whom it goes, the ring of the living says.
void Ledger::bury(Env& env, PeerId master) {
  if (over_ && detector_.thinks_dead(master) && untold_.erase(master) > 0) {
    detector_.unwatch(master);
    rest(env);
  }
  adopting_.erase(master);
  const auto open = open_.find(master);
  if (open == open_.end() || std::exchange(open->second, 0) == 0) return;
  Jobs jobs;
  for (std::uint32_t job = 0; job < jobs_.size(); ++job)
    if (jobs_[job].left > 0 && jobs_[job].master == master) jobs.insert(job);
  for (const std::uint32_t job : jobs) hand_over(env, job);
  if (master != env.self()) detector_.unwatch(master);  // last: it may be its own heir
  if (detector_.thinks_dead(master)) lost_[master].insert(jobs.begin(), jobs.end());
  adopt(env);
}

void Ledger::hand_over(Env& env, std::uint32_t job) {
  const PeerId heir =
      ring_.owner(job, [this](PeerId peer) { return !detector_.thinks_dead(peer); });
  jobs_[job].master = heir;
  if (open_[heir]++ == 0 && heir != env.self()) detector_.watch(heir);
  adopting_[heir].insert(job);
  if (const auto back = lost_.find(heir); back != lost_.end()) back->second.erase(job);
}

// It was cut off, or begins anew; it may not have heard of the end.
void Ledger::greet(Env& env, PeerId peer) {
  if (!over_ || !untold_.insert(peer).second) return;
  detector_.watch(peer);
  env.send(peer, Over{}, core::Cause::recovery);
}

// It was cut off only, and what it had is with others now.
void Ledger::disown(Env& env, PeerId peer) {
  const auto lost = lost_.find(peer);
  if (lost == lost_.end()) return;
  if (!over_) env.send(peer, Disown{open_tasks(lost->second)});
  lost_.erase(lost);
}

std::vector<TaskId> Ledger::open_tasks(const Jobs& jobs) const {
  std::vector<TaskId> tasks;
  for (const std::uint32_t job : jobs)
    for (std::uint32_t portion = 0; portion < jobs_[job].done.size(); ++portion)
      if (!jobs_[job].done[portion]) tasks.push_back({job, portion});
  return tasks;
}

void Ledger::adopt(Env& env) {
  for (const auto& [heir, jobs] : adopting_)
    if (!jobs.empty()) env.send(heir, Adopt{open_tasks(jobs)});
  if (!std::exchange(repeats_, true)) repeating_ = env.after(options_.probe_timeout, AdoptDue{});
}

void Ledger::on(Env& env, const AdoptDue&) {
  repeats_ = false;
  std::erase_if(adopting_, [](const auto& item) { return item.second.empty(); });
  if (!adopting_.empty()) adopt(env);
}

void Ledger::on(Env&, PeerId from, const Adopted& message) {
  const auto found = adopting_.find(from);
  if (found == adopting_.end()) return;
  for (const TaskId task : message.tasks) found->second.erase(task.job);
}

// Whoever has not acknowledged the end is watched and reminded until it has, or is dead.
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

// The source knows it without being told.
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

// Sooner than the failure detector says it. An older life's word comes too late.
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
