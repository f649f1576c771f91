// What HEFT works out beforehand.
#pragma once

#include <functional>
#include <vector>

#include "agents/bounds/plan.hpp"
#include "agents/scheduler.hpp"

namespace rhizome::agents::bounds {

struct HeftOptions {
  core::Duration latency{0};
  double bandwidth = 0;  // bytes a second; 0: without end
};

// The time that the heaviest task takes to receive all data of its predecessors, by the options.
[[nodiscard]] core::Duration longest_transfer(const HeftOptions& options, const World& world);

// Jobs in the order of their arrival, each around those before it. Every task fits some peer.
// Incomplete once `stopped` says so.
[[nodiscard]] PlacementPlan heft_plan(const World& world, const HeftOptions& options,
                                      const std::function<bool()>& stopped);

// The upward rank of each portion (section 4 of the paper): the longest path from its start to the
// end of the graph in seconds. A task counts with its mean time over all peers, and an edge with
// the transfer time between two of them.
[[nodiscard]] std::vector<double> upward_ranks(const Job& job, const World& world,
                                               const HeftOptions& options);

}  // namespace rhizome::agents::bounds
