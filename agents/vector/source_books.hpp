// The books of the source: which tasks are not done, which peer had each when it was last heard of,
// and which have not been heard of for so long that they are handed out again. Our design: whatever
// happens to peers and messages, a task is with a peer that reports it, or its lease ends.
#pragma once

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "agents/task.hpp"
#include "core/peer/ids.hpp"
#include "core/peer/time.hpp"

namespace rhizome::agents::vectors {

class SourceBooks {
 public:
  // Enters a task that was handed in here, unless it is known.
  void enter(const Task& task, core::PeerId holder, core::Time now) {
    open_.try_emplace(task.id, Entry{task, holder, now});
  }
  // A peer has reported a task; no effect if the task is not open.
  void heard(TaskId task, core::PeerId holder, core::Time now) {
    const auto found = open_.find(task);
    if (found == open_.end()) return;
    found->second.holder = holder;
    found->second.heard = now;
  }
  // A task is done by that peer. False if that is known: a result may come twice.
  bool close(TaskId task, core::PeerId by) {
    open_.erase(task);
    return done_.emplace(task, by).second;
  }
  [[nodiscard]] bool open(TaskId task) const { return open_.contains(task); }
  // Whether the task is open, and other tasks need bytes of it.
  [[nodiscard]] bool gives(TaskId task) const {
    const auto found = open_.find(task);
    return found != open_.end() && found->second.task.gives > 0;
  }

  struct Overdue {
    Task task;
    core::PeerId holder;  // the last peer that reported it
  };
  // Tasks that were last heard of before that time, in the order of their ids.
  [[nodiscard]] std::vector<Overdue> overdue(core::Time since) const {
    std::vector<Overdue> found;
    for (const auto& [id, entry] : open_)
      if (entry.heard < since) found.push_back({entry.task, entry.holder});
    return found;
  }

 private:
  struct Entry {
    Task task;
    core::PeerId holder;
    core::Time heard{};
  };
  std::map<TaskId, Entry> open_;
  std::set<std::pair<TaskId, core::PeerId>> done_;
};

}  // namespace rhizome::agents::vectors
