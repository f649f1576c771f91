#include "agents/client.hpp"

#include <algorithm>
#include <utility>

namespace rhizome::agents {

void Client::on(Env& env, const JobArrives& arrival) {
  const Job& job = arrival.job;
  if (arrival.keeper != env.self()) {
    release(env, job.id, job.portions);
    return;
  }
  Open* opened = open(env, job, arrival.whole);
  if (opened == nullptr) return;
  if (job.dependencies.empty()) {
    release(env, job.id, job.portions);
    return;
  }
  env.note(submitted(job.id, shape_of(job)));
  if (releases_ == Releases::scheduler) {
    submit(env, job.portions);
    env.raise(Submitted{job.id, job.portions, job.dependencies});
    return;
  }
  opened->waiting = JobGraph(job);
  release(env, job.id, opened->waiting.begin());
}

void Client::on(Env& env, const JobAnnounced& announcement) {
  open(env, announcement.job, true);
  env.raise(Announced{announcement.at, announcement.job.id, announcement.job.portions});
}

void Client::on(Env& env, const NoMoreJobs&) {
  no_more_ = true;
  check_drained(env);
}

// A job without tasks is done as soon as it is here.
Client::Open* Client::open(Env& env, const Job& job, bool whole) {
  env.note(submitted(job, whole));
  if (job.portions.empty()) return nullptr;
  Open opened{.left = job.portions.size(), .whole = whole};
  for (const Task& task : job.portions) opened.done.emplace(task.id.portion, false);
  return &open_.insert_or_assign(job.id, std::move(opened)).first->second;
}

void Client::submit(Env& env, const std::vector<Task>& tasks) {
  for (const Task& task : tasks) env.note(submitted(task));
}

void Client::release(Env& env, std::uint32_t job, const std::vector<Task>& tasks) {
  if (tasks.empty()) return;
  submit(env, tasks);
  env.raise(Submitted{job, tasks});
}

// A result of what was never here says nothing.
void Client::on(Env& env, const Finished& finished) {
  const auto [task, executor] = finished;
  const auto job = open_.find(task.job);
  if (job == open_.end()) {
    const auto completed = completed_.find(task.job);
    if (completed != completed_.end() && task.portion <= completed->second)
      env.note(TaskDuplicate{task, executor});
    return;
  }
  Open& open = job->second;
  const auto place = open.done.find(task.portion);
  if (place == open.done.end()) return;
  if (std::exchange(place->second, true)) {
    env.note(TaskDuplicate{task, executor});
    return;
  }
  env.note(TaskCompleted{task, executor});
  --open.left;
  release(env, task.job, open.waiting.done(task.portion));
  if (open.left > 0) return;
  if (open.whole) env.note(JobCompleted{task.job});
  completed_.emplace(task.job, open.done.rbegin()->first);
  open_.erase(job);
  check_drained(env);
}

void Client::on(Env& env, const Inherited& inherited) { submit(env, inherited.tasks); }

void Client::check_drained(Env& env) {
  if (no_more_ && open_.empty()) env.raise(Drained{});
}

}  // namespace rhizome::agents
