// A leader's books of one job: the tasks that have come, those that wait for a worker, and
// completed ones.
#pragma once

#include <deque>
#include <map>
#include <vector>

#include "agents/air_traffic/messages.hpp"

namespace rhizome::agents::traffic {

struct LeaderJob {
  std::uint64_t ticket = 0;  // 0: no job yet
  std::uint32_t total = 0;
  core::Time asked_for_missing{};  // when missing tasks were last asked for, or when the latest
                                   // task came
  std::uint32_t asked = 0;         // how often missing tasks were asked for since then
  std::map<std::uint32_t, Task> portions{};
  std::deque<Task> pending{};
  std::map<TaskId, Result> done{};

  // False if the message contradicts earlier ones.
  bool accept(const Portion& message) {
    if (message.total != total) return false;
    for (std::size_t i = 0; i < message.tasks.size(); ++i)
      if (portions.emplace(message.index + static_cast<std::uint32_t>(i), message.tasks[i]).second)
        pending.push_back(message.tasks[i]);
    return true;
  }
  // The task with that id; nullptr when it is not of this job.
  [[nodiscard]] const Task* find(TaskId id) const {
    for (const auto& [index, task] : portions)
      if (task.id == id) return &task;
    return nullptr;
  }
  // Makes the task wait for a worker again, unless it is done.
  bool give_back(TaskId id) {
    const Task* task = find(id);
    if (task == nullptr || done.contains(id)) return false;
    pending.push_back(*task);
    return true;
  }
  [[nodiscard]] std::vector<Result> results() const {
    std::vector<Result> all;
    for (const auto& [task, result] : done) all.push_back(result);
    return all;
  }
  // Tasks without a result here, whether the task itself has come or not.
  [[nodiscard]] std::size_t unfinished() const { return total - done.size(); }
  [[nodiscard]] std::vector<std::uint32_t> missing() const {
    std::vector<std::uint32_t> indexes;
    for (std::uint32_t i = 0; i < total; ++i)
      if (!portions.contains(i)) indexes.push_back(i);
    return indexes;
  }
};

}  // namespace rhizome::agents::traffic
