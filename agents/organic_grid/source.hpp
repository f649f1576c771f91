// The root's side of the work: which tasks there are, which have come back, which jobs are done.
#pragma once

#include <set>
#include <vector>

#include "agents/organic_grid/messages.hpp"
#include "agents/task.hpp"

namespace rhizome::agents::grid {

class Source {
 public:
  // Only the jobs of this root.
  explicit Source(std::vector<const Job*> jobs);

  [[nodiscard]] const std::vector<const Job*>& jobs() const { return jobs_; }
  // Notes what a result means; removes duplicates, and ignores tasks that were never here.
  void take(Env& env, const Result& result);
  [[nodiscard]] bool done(TaskId task) const { return done_.contains(task); }
  [[nodiscard]] bool all_done() const { return done_.size() == tasks_; }

 private:
  [[nodiscard]] bool has(TaskId task) const;
  // True when it was the last of its job.
  bool count(TaskId task);

  std::vector<const Job*> jobs_;
  std::vector<std::size_t> left_;  // tasks of each job
  std::set<TaskId> done_;
  std::size_t tasks_ = 0;
};

}  // namespace rhizome::agents::grid
