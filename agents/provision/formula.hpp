// The number of nodes that a system should hold, from the rest of its jobs and the queue of the
// cluster: the index of "Self adjusted auto provision system at resource level", TODO -
// auto-scaling. Pure arithmetic.
#pragma once

#include <cstdint>
#include <span>

#include "core/peer/time.hpp"

namespace rhizome::agents::provision {

// Nodes that a system may hold: MinN and MaxN of the source.
struct NodeLimits {
  std::uint32_t least = 1;
  std::uint32_t most = 1;
};

// An unfinished job: T tasks in all, of which L are left.
struct JobProgress {
  std::uint64_t tasks = 0;
  std::uint64_t left = 0;
};

// The state of the cluster's queue: idle nodes, the nodes that the job on top needs, and the time
// that it has been on top. Without a job on top no node is required.
struct ClusterState {
  std::uint32_t idle = 0;
  std::uint32_t required = 0;  // 0: no job waits
  core::Duration waited{0};
};

// Goal, Demand, Queue and Index of the source, in nodes.
struct Reading {
  double goal = 0;
  double demand = 0;
  double queue = 0;
  double index = 0;
  friend bool operator==(const Reading&, const Reading&) = default;
};

// `reserved`: nodes that the system holds, without its master. `unit`: the time that counts as 1 in
// (Required_top - IdleN) * Time; the source names none. More makes other users' jobs wait longer.
[[nodiscard]] Reading read_index(const NodeLimits& limits, std::span<const JobProgress> jobs,
                                 std::uint32_t reserved, const ClusterState& cluster,
                                 core::Duration unit);

}  // namespace rhizome::agents::provision
