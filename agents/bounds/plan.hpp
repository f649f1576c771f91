// The plan of a scheduler that knows everything: which peer runs which task and, for tasks that
// need others, from when on.
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
  // A job whose tasks cannot all run at once, or do not begin in their turn.
  struct Graph {
    GraphShape shape;
    std::vector<core::Time> from;  // by portion: when it may run, and is handed in
    // By portion: when it begins; empty where tasks begin when their turn comes.
    std::vector<core::Time> begins{};
    std::vector<Growth> growth;
  };

  std::vector<std::vector<core::PeerId>> peers;  // by job and portion
  std::map<std::uint32_t, Graph> graphs;         // by job
  // By peer: its tasks in the order in which its processors get them. Tasks of the same time may
  // need each other, where some tasks take no time.
  std::vector<std::vector<TaskId>> turns;
  core::Time end{};  // when the last task of all peers ends

  // The peer of a task. Peer 0 for a task that is not planned: of a job without tasks, or in a plan
  // that was given up.
  [[nodiscard]] core::PeerId at(TaskId task) const {
    const bool planned = task.job < peers.size() && task.portion < peers[task.job].size();
    const core::PeerId peer = planned ? peers[task.job][task.portion] : core::no_peer;
    return peer == core::no_peer ? core::PeerId{0} : peer;
  }
  // When a task may run, and when it begins; the zero time for a task that may run when it arrives
  // and begins when its turn comes.
  [[nodiscard]] core::Time from(TaskId task) const { return time_of(task, &Graph::from); }
  [[nodiscard]] core::Time begins(TaskId task) const { return time_of(task, &Graph::begins); }

 private:
  [[nodiscard]] core::Time time_of(TaskId task, std::vector<core::Time> Graph::*times) const {
    const auto graph = graphs.find(task.job);
    const bool planned = graph != graphs.end() && task.portion < (graph->second.*times).size();
    return planned ? (graph->second.*times)[task.portion] : core::Time{};
  }
};

// Whether some task of the job may not run as soon as the job arrives.
[[nodiscard]] inline bool holds_back(const Job& job) {
  return !job.dependencies.empty() || !job.growth.empty();
}

}  // namespace rhizome::agents::bounds
