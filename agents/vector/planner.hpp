// The planner: which neighbours get how many of a peer's waiting tasks (Peterson, dissertation,
// section 4.1, algorithms 2 and 3), and how our remedies change that.
#pragma once

#include <utility>
#include <vector>

#include "agents/vector/arithmetic.hpp"
#include "agents/vector/course.hpp"
#include "agents/vector/neighbour_table.hpp"
#include "agents/vector/options.hpp"
#include "core/peer/rng.hpp"

namespace rhizome::agents::vectors {

class Planner {
 public:
  // Options outlive the planner; their vectors are valid.
  explicit Planner(const Options& options)
      : options_(options), flow_(options.flow), stasis_(options.stasis) {}

  // Neighbours in the order given, without those that get no task. Chance matters where damping
  // leaves a part of a task to it.
  using Moves = std::vector<std::pair<PeerId, std::uint32_t>>;
  [[nodiscard]] Moves moves(const PeerMetrics& self, const std::vector<NeighbourState>& neighbours,
                            core::Time now, core::Rng& rng) const;

 private:
  [[nodiscard]] Counts by_scores(const PeerMetrics& self,
                                 const std::vector<NeighbourState>& neighbours,
                                 const Counts& queues, core::Time now) const;
  [[nodiscard]] Counts by_finish_times(const PeerMetrics& self,
                                       const std::vector<NeighbourState>& neighbours,
                                       const Counts& queues) const;
  [[nodiscard]] std::uint32_t damped(std::uint32_t tasks, core::Rng& rng) const;

  const Options& options_;
  Course flow_;
  Course stasis_;
};

}  // namespace rhizome::agents::vectors
