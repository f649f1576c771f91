// The tasks of a job that are not done. A task that is done leaves a gap, since the books of a job
// close as a whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "agents/task.hpp"

namespace rhizome::agents::sparrow {

class OpenTasks {
 public:
  // Adding an open task again has no effect.
  void add(const Task& task) {
    const std::uint32_t portion = task.id.portion;
    if (portion >= tasks_.size()) {
      tasks_.resize(portion + 1);
      open_.resize(portion + 1);
    }
    if (open_[portion]) return;
    tasks_[portion] = task;
    open_[portion] = true;
    ++count_;
  }
  // False for a task that is not open.
  bool close(std::uint32_t portion) {
    if (portion >= open_.size() || !open_[portion]) return false;
    open_[portion] = false;
    if (--count_ == 0) *this = {};
    return true;
  }
  [[nodiscard]] bool empty() const { return count_ == 0; }
  // An open task.
  [[nodiscard]] const Task& at(std::uint32_t portion) const { return tasks_.at(portion); }
  // Calls f(task) for each open task, by portion.
  template <class F>
  void for_each(F&& f) const {
    for (std::size_t i = 0; i < tasks_.size(); ++i)
      if (open_[i]) f(tasks_[i]);
  }

 private:
  std::vector<Task> tasks_;  // by portion
  std::vector<bool> open_;   // likewise
  std::size_t count_ = 0;
};

}  // namespace rhizome::agents::sparrow
