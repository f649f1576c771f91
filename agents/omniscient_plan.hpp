// What the omniscient scheduler works out beforehand: which peer runs which task.
#pragma once

#include <functional>
#include <vector>

#include "agents/scheduler.hpp"

namespace rhizome::agents {

struct OmniscientPlan {
  std::vector<std::vector<core::PeerId>> peers;  // by job and portion
  core::Time end{};                              // of everybody's tasks

  // Of a task that is not planned, of a job without any or in a plan that was given up, anybody.
  [[nodiscard]] core::PeerId at(TaskId task) const {
    const bool planned = task.job < peers.size() && task.portion < peers[task.job].size();
    return planned ? peers[task.job][task.portion] : core::PeerId{0};
  }
};

// Each task goes where it starts first, but not before `reaction` has passed since it arrived; ties
// go to the lowest address. Every task fits some peer. Incomplete once `stopped` says so.
[[nodiscard]] OmniscientPlan plan_for(const World& world, core::Duration reaction,
                                      const std::function<bool()>& stopped);

}  // namespace rhizome::agents
