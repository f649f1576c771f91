#include "agents/organic_grid/source.hpp"

#include <algorithm>

namespace rhizome::agents::grid {

Source::Source(std::vector<const Job*> jobs) : jobs_(std::move(jobs)) {
  for (const Job* job : jobs_) {
    left_.push_back(job->portions.size());
    tasks_ += job->portions.size();
  }
}

void Source::take(Env& env, const Result& result) {
  if (!has(result.task)) return;
  if (!done_.insert(result.task).second) {
    env.note(TaskDuplicate{result.task, result.executor});
    return;
  }
  env.note(TaskCompleted{result.task, result.executor});
  if (count(result.task)) env.note(JobCompleted{result.task.job});
}

bool Source::has(TaskId task) const {
  return std::any_of(jobs_.begin(), jobs_.end(), [task](const Job* job) {
    return job->id == task.job && task.portion < job->portions.size();
  });
}

bool Source::count(TaskId task) {
  for (std::size_t i = 0; i < jobs_.size(); ++i)
    if (jobs_[i]->id == task.job) return --left_[i] == 0;
  return false;
}

}  // namespace rhizome::agents::grid
