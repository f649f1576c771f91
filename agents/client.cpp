#include "agents/client.hpp"

#include <utility>

namespace rhizome::agents {

namespace {

// Whether any of its tasks cannot run at once.
bool waits(const Job& job) { return !job.dependencies.empty() || !job.growth.empty(); }

}  // namespace

void Client::on(Env& env, const JobArrives& arrival) {
  const Job& job = arrival.job;
  if (arrival.keeper != env.self()) {
    welcome(env, job);
    return;
  }
  Open* opened = open(env, job, arrival.whole);
  if (opened == nullptr) return;
  if (releases_ == Releases::scheduler && !job.dependencies.empty()) {
    env.note(submitted(job.id, shape_of(job)));
    submit(env, job.portions);
    env.raise(Submitted{job.id, job.portions, job.dependencies});
    return;
  }
  release(env, job.id, *opened, begin(env, job, *opened));
}

// A job whose books another peer keeps.
void Client::welcome(Env& env, const Job& job) {
  if (!waits(job)) {
    release(env, job.id, job.portions);
    return;
  }
  JobGraph& graph = guests_.insert_or_assign(job.id, JobGraph(job)).first->second;
  release(env, job.id, graph.begin());
}

void Client::on(Env& env, const JobAnnounced& announcement) {
  const Job& job = announcement.job;
  Open* opened = open(env, job, true);
  if (opened == nullptr) return;
  opened->at = announcement.at;
  release(env, job.id, *opened, begin(env, job, *opened));
}

void Client::on(Env& env, const NoMoreJobs&) {
  no_more_ = true;
  check_drained(env);
}

// A job without tasks is done on arrival. Another part of an open job joins it.
Client::Open* Client::open(Env& env, const Job& job, bool whole) {
  env.note(submitted(job, whole));
  if (job.portions.empty()) return nullptr;
  Open& opened = open_[job.id];
  opened.whole = whole;
  opened.left += job.portions.size();
  for (const Task& task : job.portions) opened.done.emplace(task.id.portion, false);
  return &opened;
}

// The tasks that may run at once. Notes the graph if any task needs another.
std::vector<Task> Client::begin(Env& env, const Job& job, Open& opened) {
  if (!waits(job)) return job.portions;
  if (!job.dependencies.empty()) env.note(submitted(job.id, shape_of(job)));
  opened.waiting = JobGraph(job);
  return opened.waiting.begin();
}

void Client::submit(Env& env, const std::vector<Task>& tasks) {
  for (const Task& task : tasks) env.note(submitted(task));
}

void Client::release(Env& env, std::uint32_t job, const std::vector<Task>& tasks) {
  if (tasks.empty()) return;
  submit(env, tasks);
  env.raise(Submitted{job, tasks});
}

void Client::release(Env& env, std::uint32_t job, const Open& open,
                     const std::vector<Task>& tasks) {
  if (open.at == core::no_peer) {
    release(env, job, tasks);
  } else if (!tasks.empty()) {
    env.raise(Announced{open.at, job, tasks});
  }
}

// A result of a task that was never here is ignored.
void Client::on(Env& env, const Finished& finished) {
  const auto [task, executor] = finished;
  const auto job = open_.find(task.job);
  if (job == open_.end() || !job->second.done.contains(task.portion)) {
    const auto completed = completed_.find(task.job);
    if (completed != completed_.end() && task.portion <= completed->second)
      env.note(TaskDuplicate{task, executor});
    return;
  }
  Open& open = job->second;
  const auto place = open.done.find(task.portion);
  if (std::exchange(place->second, true)) {
    env.note(TaskDuplicate{task, executor});
    return;
  }
  env.note(TaskCompleted{task, executor});
  if (const Growth* growth = open.waiting.growth_of(task.portion))
    env.note(TasksAdded{task, growth->first, growth->count});
  --open.left;
  release(env, task.job, open, open.waiting.done(task.portion));
  if (open.left > 0) return;
  if (open.whole) env.note(JobCompleted{task.job});
  std::uint32_t& last = completed_[task.job];  // last portion of all parts
  last = std::max(last, open.done.rbegin()->first);
  open_.erase(job);
  check_drained(env);
}

void Client::on(Env& env, const Settled& settled) {
  const auto guest = guests_.find(settled.task.job);
  if (guest == guests_.end()) return;
  release(env, guest->first, guest->second.done(settled.task.portion));
  if (guest->second.empty()) guests_.erase(guest);
}

void Client::on(Env&, const Disowned& disowned) { guests_.erase(disowned.job); }

void Client::on(Env& env, const Inherited& inherited) { submit(env, inherited.tasks); }

void Client::check_drained(Env& env) {
  if (no_more_ && open_.empty()) env.raise(Drained{});
}

}  // namespace rhizome::agents
