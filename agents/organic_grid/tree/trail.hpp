// Where tasks went that this node had and no longer answers for, so that a node that looks for one
// is sent on. A task is forgotten once its result has gone back along the way that the task came:
// then only the lender could send a question here, and it has the result.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "agents/organic_grid/messages.hpp"
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
    const bool again = came_.contains(task) || left_.contains(task);
    came_[task] = {stay, again};
    left_.erase(task);
  }
  // In the stay of that epoch the task went to another node: a child that has moved away, or the
  // root, to which it was given back.
  void leave(TaskId task, core::PeerId to, std::uint64_t epoch) {
    came_.erase(task);
    left_[task] = {to, epoch};
  }
  // Whether a result strays that goes up in that stay: the task came another way, or not only so.
  [[nodiscard]] bool strays(TaskId task, Stay stay) const {
    const auto came = came_.find(task);
    return came == came_.end() || came->second.again || came->second.stay != stay;
  }
  // The parent of that stay has its result, which has strayed or not. The news may come late, when
  // the task has come this way once more in a later stay.
  void deliver(TaskId task, Stay stay, bool strayed) {
    const auto came = came_.find(task);
    const auto left = left_.find(task);
    if (came != came_.end() && came->second.stay.epoch > stay.epoch) return;
    if (left != left_.end() && left->second.epoch > stay.epoch) return;
    if (came != came_.end()) came_.erase(came);
    if (strayed) left_[task] = stay;
  }
  [[nodiscard]] std::optional<core::PeerId> to(TaskId task) const {
    const auto found = left_.find(task);
    if (found == left_.end()) return {};
    return found->second.parent;
  }
  // All tasks that are somewhere else, but for those that the root itself has had from here.
  [[nodiscard]] std::vector<Passed> passed(core::PeerId root) const {
    std::vector<Passed> list;
    for (const auto& [task, stay] : left_)
      if (stay.parent != root) list.push_back({task, stay.parent});
    return list;
  }
  // The root knows it by itself.
  void forget(TaskId task) { left_.erase(task); }

 private:
  struct Loan {
    Stay stay;
    bool again;  // it had been here before
  };
  std::map<TaskId, Loan> came_;  // tasks here or below, and their lenders
  std::map<TaskId, Stay> left_;  // tasks that are somewhere else, and since when
};

}  // namespace rhizome::agents::grid
