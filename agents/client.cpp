#include "agents/client.hpp"

#include <algorithm>
#include <utility>

namespace rhizome::agents {

void Client::on(Env& env, const JobArrives& arrival) {
  const Job& job = arrival.job;
  const bool kept_here = arrival.keeper == env.self();
  if (!kept_here || job.dependencies.empty()) {
    if (kept_here) open(env, job, arrival.whole);
    submit(env, job.portions);
    if (!job.portions.empty()) env.raise(Submitted{job.id, job.portions});
    return;
  }
  Open& graph = open(env, job, arrival.whole);
  graph.held = job.portions;
  graph.unmet = job.dependencies;
  release(env, job.id, graph);
}

void Client::on(Env& env, const JobAnnounced& announcement) {
  open(env, announcement.job, true);
  env.raise(Announced{announcement.at, announcement.job.id, announcement.job.portions});
}

void Client::on(Env& env, const NoMoreJobs&) {
  no_more_ = true;
  check_drained(env);
}

Client::Open& Client::open(Env& env, const Job& job, bool whole) {
  env.note(submitted(job));
  Open opened{.left = job.portions.size(), .whole = whole};
  for (const Task& task : job.portions) opened.done.emplace(task.id.portion, false);
  return open_.insert_or_assign(job.id, std::move(opened)).first->second;
}

void Client::submit(Env& env, const std::vector<Task>& tasks) {
  for (const Task& task : tasks) env.note(submitted(task));
}

// Those that need nothing any more.
void Client::release(Env& env, std::uint32_t job, Open& graph) {
  const auto waits = [&graph](const Task& task) {
    return std::any_of(graph.unmet.begin(), graph.unmet.end(),
                       [&](const Dependency& unmet) { return unmet.task == task.id.portion; });
  };
  const auto ready = std::stable_partition(graph.held.begin(), graph.held.end(), waits);
  if (ready == graph.held.end()) return;
  const std::vector<Task> released(ready, graph.held.end());
  graph.held.erase(ready, graph.held.end());
  submit(env, released);
  env.raise(Submitted{job, released});
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
  std::erase_if(open.unmet, [&](const Dependency& unmet) { return unmet.needs == task.portion; });
  if (!open.held.empty()) release(env, task.job, open);
  if (open.left > 0) return;
  if (open.whole) env.note(JobCompleted{task.job});
  completed_.emplace(task.job, open.done.rbegin()->first);
  open_.erase(job);
  check_drained(env);
}

void Client::on(Env& env, const Inherited& inherited) { submit(env, inherited.tasks); }

// A job without tasks is done as soon as it is here.
void Client::check_drained(Env& env) {
  std::erase_if(open_, [](const auto& job) { return job.second.left == 0; });
  if (no_more_ && open_.empty()) env.raise(Drained{});
}

}  // namespace rhizome::agents
