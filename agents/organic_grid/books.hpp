// The books of one node: tasks handed to children whose results have not come back, so that what a
// dead or slow child holds can be handed out again.
#pragma once

#include <map>
#include <vector>

#include "agents/task.hpp"
#include "core/peer/ids.hpp"

namespace rhizome::agents::grid {

class Books {
 public:
  struct Entry {
    Task task;
    core::PeerId child;
    core::Time since{};
  };

  void lend(const Task& task, core::PeerId child, core::Time now) {
    lent_[task.id] = {task, child, now};
  }
  // A result came, whoever brought it.
  void settle(TaskId id, core::Time now);
  // The tasks of a child, which are no longer lent.
  [[nodiscard]] std::vector<Task> recall(core::PeerId child);
  // A child has gone elsewhere with its tasks: their results will not come this way.
  void forget(core::PeerId child) {
    std::erase_if(lent_, [child](const auto& item) { return item.second.child == child; });
  }
  // The same at the root, which answers for every task: still lent, to nobody known.
  void disown(core::PeerId child) {
    for (auto& [id, entry] : lent_)
      if (entry.child == child) entry.child = core::nobody;
  }
  // Up to `most` tasks lent for longer than `factor` times what is usual for their duration, and no
  // less than `least`; they count as lent anew from now on.
  [[nodiscard]] std::vector<Entry> overdue(core::Time now, double factor, core::Duration least,
                                           std::size_t most);
  [[nodiscard]] std::size_t size() const { return lent_.size(); }

 private:
  std::map<TaskId, Entry> lent_;
  double stretch_ = 2;  // what nine in ten do not exceed: (time to the result) / (duration)
};

}  // namespace rhizome::agents::grid
