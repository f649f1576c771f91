// The planner: which neighbours get how many of a peer's waiting tasks (Peterson, dissertation,
// section 4.1, algorithms 2 and 3), and how our remedies change that.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "agents/vector/course.hpp"
#include "agents/vector/neighbour_table.hpp"
#include "agents/vector/options.hpp"
#include "core/peer/rng.hpp"

namespace rhizome::agents::vectors {

// The arithmetic of vector scheduling, without messages: computes from the known state of a
// neighbourhood the number of tasks that each member should have (Peterson, dissertation, section
// 3.3 and algorithm 3). Lists are by member of the neighbourhood; the first member is the peer that
// decides.

using Counts = std::vector<std::uint32_t>;

// One metric of all members, on [-1, 1] from the least to the greatest; 0 for all where they are
// equal (section 3.3, table 3.3). The unit of the metric makes no difference. Values are finite.
[[nodiscard]] std::vector<double> scaled(const std::vector<double>& values);

// What one metric adds to the scores: its values, its weight in the flow vector, and by how much
// the stasis vector shifts the first member's value after scaling (section 3.3).
struct Dimension {
  std::vector<double> values;
  double flow = 0;
  double stasis = 0;
};

// The dot product of each member's place with the flow vector, but at least 0. The printed
// algorithm lacks this limit, and without it hands out 13 of 7 tasks in its own example.
[[nodiscard]] std::vector<double> scores(const std::vector<Dimension>& dimensions);

// Divides `tasks` in proportion to the scores: whole ones first, then one each by the largest
// remainder, and of equal members to the earlier. All tasks stay with the first member where no
// member has a score. Scores are not negative; the counts add up to `tasks`.
[[nodiscard]] Counts split(std::uint32_t tasks, const std::vector<double>& scores);

// How long a member will be busy, in seconds, and how long it takes for one task more.
struct BusyTime {
  double backlog = 0;
  double task = 1;  // above 0
};

// Gives `tasks` one by one to the member that would finish the task first: expected finish times
// become level, as water does. A task leaves the first member only where it would finish earlier by
// more than `margin` tasks of the first; of equal members, the earlier gets it. Our design.
[[nodiscard]] Counts levelled(std::uint32_t tasks, const std::vector<BusyTime>& paces,
                              double margin);

// The same counts, changed so that no member's queue becomes longer than what the first member
// keeps: while one would, one task of the longest such queue stays with the first. Our design.
[[nodiscard]] Counts only_down(Counts counts, const Counts& queues);

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
