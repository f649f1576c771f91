#include "agents/organic_grid/source.hpp"

#include <algorithm>

namespace rhizome::agents::grid {

Source::Source(std::vector<const Job*> jobs) : jobs_(std::move(jobs)) {
  for (const Job* job : jobs_) {
    left_.push_back(job->portions.size());
    tasks_ += job->portions.size();
  }
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
