// Where tasks went that this node has had and answers for no longer, so that whoever looks for one
// is shown on. A task whose result went back to the parent that had lent it is forgotten: that
// parent knows of the result itself.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "agents/task.hpp"
#include "core/peer/ids.hpp"

namespace rhizome::agents::grid {

class Trail {
 public:
  // A stay at a parent.
  struct Stay {
    core::PeerId parent;
    std::uint64_t epoch;
    friend bool operator==(const Stay&, const Stay&) = default;
  };

  // The parent has lent a task.
  void come(TaskId task, Stay stay) {
    came_[task] = stay;
    left_.erase(task);
  }
  // In the stay of that epoch it is with somebody else: a child that has moved away, or the root,
  // to which it was given back.
  void leave(TaskId task, core::PeerId to, std::uint64_t epoch) {
    came_.erase(task);
    left_[task] = {to, epoch};
  }
  // The parent of that stay has its result. The news may come late, when the task has come this way
  // once more in a later stay.
  void deliver(TaskId task, Stay stay) {
    const auto came = came_.find(task);
    const auto left = left_.find(task);
    if (came != came_.end() && came->second.epoch > stay.epoch) return;
    if (left != left_.end() && left->second.epoch > stay.epoch) return;
    const bool lender = came != came_.end() && came->second == stay;
    if (came != came_.end()) came_.erase(came);
    if (!lender)
      left_[task] = stay;
    else if (left != left_.end())
      left_.erase(left);
  }
  [[nodiscard]] std::optional<core::PeerId> to(TaskId task) const {
    const auto found = left_.find(task);
    if (found == left_.end()) return {};
    return found->second.parent;
  }

 private:
  std::map<TaskId, Stay> came_;  // tasks here or below, and who lent them
  std::map<TaskId, Stay> left_;  // tasks that are somewhere else, and since when
};

}  // namespace rhizome::agents::grid
