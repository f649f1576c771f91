// What a scheduler that knows everything works out beforehand: which peer runs which task, and of
// tasks that need others, from when on.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "agents/graph_shape.hpp"
#include "agents/task.hpp"
#include "core/peer/ids.hpp"
#include "core/peer/time.hpp"

namespace rhizome::agents::bounds {

class PlacementPlan {
 public:
  // What holds of a job whose tasks cannot all run at once, or not in their turn.
  struct Graph {
    GraphShape shape;
    std::vector<core::Time> from;  // by portion: it may run then, and is handed in
    // By portion: it begins then; empty where it begins when its turn comes.
    std::vector<core::Time> begins{};
    std::vector<Growth> growth;
  };

  std::vector<std::vector<core::PeerId>> peers;  // by job and portion
  std::map<std::uint32_t, Graph> graphs;         // by job
  // By peer: its tasks in the order in which they are given to its processors. Those of one time
  // may need each other, where some take none.
  std::vector<std::vector<TaskId>> turns;
  core::Time end{};  // of everybody's tasks

  // Of a task that is not planned, of a job without any or in a plan that was given up, anybody.
  [[nodiscard]] core::PeerId at(TaskId task) const {
    const bool planned = task.job < peers.size() && task.portion < peers[task.job].size();
    const core::PeerId peer = planned ? peers[task.job][task.portion] : core::nobody;
    return peer == core::nobody ? core::PeerId{0} : peer;
  }
  // Of a task that may run at once, and begins when its turn comes, when it arrives.
  [[nodiscard]] core::Time from(TaskId task) const { return time_of(task, &Graph::from); }
  [[nodiscard]] core::Time begins(TaskId task) const { return time_of(task, &Graph::begins); }

 private:
  [[nodiscard]] core::Time time_of(TaskId task, std::vector<core::Time> Graph::*times) const {
    const auto graph = graphs.find(task.job);
    const bool planned = graph != graphs.end() && task.portion < (graph->second.*times).size();
    return planned ? (graph->second.*times)[task.portion] : core::Time{};
  }
};

// Whether not all of its tasks may run as soon as it arrives.
[[nodiscard]] inline bool holds_back(const Job& job) {
  return !job.dependencies.empty() || !job.growth.empty();
}

}  // namespace rhizome::agents::bounds
