// What the source knows of graphs while they are under way: who needs whom, and who is done. From
// this a task that was lost is placed again, and a task that waits in vain is given what it needs.
// Our design.
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "agents/locator/service.hpp"
#include "core/peer/ids.hpp"
#include "core/peer/time.hpp"

namespace rhizome::agents::vectors {

class Lineage {
 public:
  void enter(const locator::Mobile& mobile) { open_.emplace(mobile.task.id, mobile); }
  [[nodiscard]] bool open(TaskId task) const { return open_.contains(task); }
  void done(TaskId task, core::Time now) {
    open_.erase(task);
    done_.emplace(task, now);
  }

  // The same task once more, later than all former ones, with what is known to be done given to it.
  [[nodiscard]] locator::Mobile again(TaskId task) {
    locator::Mobile mobile = open_.at(task);
    mobile.epoch = locator::generation * ++generations_;
    for (const locator::Neighbour& each : std::exchange(mobile.unmet, {}))
      (done_.contains(each.task) ? mobile.met : mobile.unmet).push_back(each);
    return mobile;
  }

  // What a task that waits there should have been given by those that were done before that time.
  [[nodiscard]] std::vector<locator::Give> owed(TaskId task, core::PeerId at,
                                                core::Time before) const {
    std::vector<locator::Give> gifts;
    const auto found = open_.find(task);
    if (found == open_.end()) return gifts;
    for (const locator::Neighbour& needed : found->second.unmet)
      if (const auto done = done_.find(needed.task); done != done_.end() && done->second < before)
        gifts.push_back({needed.task, {{task, {at, 0}, needed.bytes}}});
    return gifts;
  }

 private:
  std::map<TaskId, locator::Mobile> open_;  // as they entered
  std::map<TaskId, core::Time> done_;
  locator::Epoch generations_ = 0;
};

}  // namespace rhizome::agents::vectors
