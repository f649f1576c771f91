// The tasks of a job that wait until other tasks of it are done, or that other tasks add when they
// are done.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "agents/graph_shape.hpp"
#include "agents/task.hpp"
#include "core/peer/fields.hpp"

namespace rhizome::agents {

class JobGraph {
 public:
  JobGraph() = default;
  explicit JobGraph(const Job& job) {
    for (const Task& task : job.portions) held_.emplace(task.id.portion, HeldTask{task});
    for (const auto& [task, needs, bytes] : job.dependencies) {
      const auto held = held_.find(task);
      if (held == held_.end()) continue;
      ++held->second.unmet;
      needed_by_.emplace(needs, task);
      carry(needs, held->second.task, bytes);
    }
    for (const Growth& growth : job.growth) grow(growth);
    if (job.dependencies.empty()) return;
    const std::vector<std::uint32_t> levels = levels_of(job);
    for (auto& [portion, held] : held_) held.task.level = levels.at(portion) + 1;
  }

  // The tasks that need nothing, in the order of their portions. Each is returned once.
  [[nodiscard]] std::vector<Task> begin() {
    std::vector<Task> ready;
    for (const auto& [portion, held] : held_)
      if (held.unmet == 0) ready.push_back(held.task);
    for (const Task& task : ready) held_.erase(task.id.portion);
    return ready;
  }
  // A task is done; called once for each task. Returns the tasks for which it was the last missing
  // one, ordered by id. If results arrive in another order than the tasks were done, the task may
  // itself have been waiting here, and is removed.
  [[nodiscard]] std::vector<Task> done(std::uint32_t portion) {
    std::vector<Task> ready;
    held_.erase(portion);
    const auto [first, last] = needed_by_.equal_range(portion);
    for (auto next = first; next != last; ++next) {
      const auto held = held_.find(next->second);
      if (held == held_.end() || --held->second.unmet > 0) continue;
      ready.push_back(held->second.task);
      held_.erase(held);
    }
    std::sort(ready.begin(), ready.end(), [](const Task& a, const Task& b) { return a.id < b.id; });
    return ready;
  }
  // What a task adds to the job when it is done, if anything.
  [[nodiscard]] const Growth* growth_of(std::uint32_t portion) const {
    const auto found = growth_.find(portion);
    return found == growth_.end() ? nullptr : &found->second;
  }
  // No task waits any more.
  [[nodiscard]] bool empty() const { return held_.empty(); }

 private:
  friend struct core::Fields;
  template <class Self>
  static auto fields(Self& self) {
    return std::tie(self.held_, self.needed_by_, self.growth_);
  }

  struct HeldTask {
    Task task;
    std::uint32_t unmet = 0;
  };
  // The bytes travel by way of the peer that keeps this graph.
  void carry(std::uint32_t from, Task& to, std::uint64_t bytes) {
    to.brings.bytes += bytes;
    if (const auto giver = held_.find(from); giver != held_.end())
      giver->second.task.gives += bytes;
  }
  // Added tasks wait for the task that adds them, as if they needed it.
  void grow(const Growth& growth) {
    growth_.emplace(growth.by, growth);
    for (std::uint32_t task = growth.first; task < growth.first + growth.count; ++task) {
      ++held_.at(task).unmet;
      needed_by_.emplace(growth.by, task);
    }
  }

  std::map<std::uint32_t, HeldTask> held_;                 // by portion
  std::multimap<std::uint32_t, std::uint32_t> needed_by_;  // tasks that wait for a portion
  std::map<std::uint32_t, Growth> growth_;                 // by the portion that adds
};

}  // namespace rhizome::agents
