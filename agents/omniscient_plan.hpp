// What the omniscient scheduler works out beforehand: which peer runs which task.
#pragma once

#include <functional>
#include <vector>

#include "agents/scheduler.hpp"

namespace rhizome::agents {

struct OmniscientPlan {
  std::vector<std::vector<const Task*>>
      of;            // by peer, in order of arrival, which is that of starts
  core::Time end{};  // of everybody's tasks
};

// Each task goes where it starts first, but not before `reaction` has passed since it arrived; ties
// go to the lowest address. Every task fits some peer. Points into the world's workload. Incomplete
// once `stopped` says so.
[[nodiscard]] OmniscientPlan plan_for(const World& world, core::Duration reaction,
                                      const std::function<bool()>& stopped);

}  // namespace rhizome::agents
