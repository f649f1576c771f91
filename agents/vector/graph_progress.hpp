// The source's knowledge of graphs under way: the dependencies of tasks, and which tasks are done.
// With it a lost task is placed again, and a task that waits in vain is given the data that it
// needs. Our design.
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "agents/locator/service.hpp"
#include "agents/vector/messages.hpp"
#include "core/peer/ids.hpp"
#include "core/peer/time.hpp"

namespace rhizome::agents::vectors {

class GraphProgress {
 public:
  void enter(const locator::Mobile& mobile) { open_.emplace(mobile.task.id, mobile); }
  [[nodiscard]] bool open(TaskId task) const { return open_.contains(task); }
  // Whether the task is open, and other tasks need bytes of it.
  [[nodiscard]] bool gives(TaskId task) const {
    const auto found = open_.find(task);
    return found != open_.end() && found->second.task.gives > 0;
  }
  void done(TaskId task, core::Time now) {
    open_.erase(task);
    done_.emplace(task, now);
  }

  // The same task once more, in a later epoch than all former ones, with the data of all tasks
  // known to be done.
  [[nodiscard]] locator::Mobile again(TaskId task) {
    locator::Mobile mobile = open_.at(task);
    mobile.epoch = locator::generation * ++generations_;
    for (const locator::Neighbour& each : std::exchange(mobile.unmet, {}))
      if (done_.contains(each.task))
        locator::take_along(mobile, each);
      else
        mobile.unmet.push_back(each);
    return mobile;
  }

  // The data that a task that waits at peer `at` should have been given, if the giver was done
  // before that time.
  [[nodiscard]] std::optional<locator::GiveData> owed(const Need& need, core::PeerId at,
                                                      core::Time before) const {
    const auto done = done_.find(need.giver);
    const auto found = open_.find(need.task);
    if (found == open_.end() || done == done_.end() || done->second >= before) return {};
    for (const locator::Neighbour& needed : found->second.unmet)
      if (needed.task == need.giver)
        return locator::GiveData{need.giver, {{need.task, {at, 0}, needed.bytes}}};
    return {};
  }

 private:
  std::map<TaskId, locator::Mobile> open_;  // as they entered
  std::map<TaskId, core::Time> done_;
  locator::Epoch generations_ = 0;
};

}  // namespace rhizome::agents::vectors
