// Which of the tasks that have come to a peer are done.
#pragma once

#include <map>
#include <vector>

#include "agents/task.hpp"

namespace rhizome::agents {

class TaskSet {
 public:
  void add(const std::vector<Task>& tasks) {
    for (const Task& task : tasks) done_.try_emplace(task.id, false);
  }
  [[nodiscard]] bool knows(TaskId task) const { return done_.contains(task); }
  [[nodiscard]] bool done(TaskId task) const {
    const auto found = done_.find(task);
    return found != done_.end() && found->second;
  }
  // Marks a known task as done.
  void finish(TaskId task) { done_.at(task) = true; }

 private:
  std::map<TaskId, bool> done_;
};

}  // namespace rhizome::agents
