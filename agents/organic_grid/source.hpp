// The root's side of the work: which tasks there are, which have come back, which jobs are done.
#pragma once

#include <set>
#include <vector>

#include "agents/facts.hpp"
#include "agents/organic_grid/messages.hpp"
#include "agents/task.hpp"
#include "core/peer/fact.hpp"

namespace rhizome::agents::grid {

class Source {
 public:
  // Only the jobs of this root.
  explicit Source(std::vector<const Job*> jobs);

  [[nodiscard]] const std::vector<const Job*>& jobs() const { return jobs_; }
  // What a result means; deduplicates by task, and ignores tasks that were never here. Calls
  // note(Fact) for what happened.
  template <class Note>
  void take(const Result& result, Note&& note);
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

template <class Note>
void Source::take(const Result& result, Note&& note) {
  if (!has(result.task)) return;
  if (!done_.insert(result.task).second) {
    note(core::Fact{.name = facts::task_duplicate,
                    .subject = subject_of(result.task),
                    .other = result.executor});
    return;
  }
  note(core::Fact{
      .name = facts::task_completed, .subject = subject_of(result.task), .other = result.executor});
  if (count(result.task))
    note(core::Fact{.name = facts::job_completed, .subject = result.task.job});
}

}  // namespace rhizome::agents::grid
