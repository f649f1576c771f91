// The arithmetic of vector scheduling, on values alone: from what is known of a neighbourhood to
// how many tasks each of it should have (Peterson, dissertation, section 3.3 and algorithm 3).
// Lists are by member of the neighbourhood, and whoever decides is the first.
#pragma once

#include <cstdint>
#include <vector>

namespace rhizome::agents::vectors {

using Counts = std::vector<std::uint32_t>;

// One metric of everybody, on [-1, 1] from the least to the greatest; 0 of all where they are equal
// (section 3.3, table 3.3). The unit of the metric makes no difference. Values are finite.
[[nodiscard]] std::vector<double> scaled(const std::vector<double>& values);

// What one metric adds to the scores: its values, its weight in the flow vector, and by how much
// the stasis vector shifts the first, once it is scaled (section 3.3).
struct Dimension {
  std::vector<double> values;
  double flow = 0;
  double stasis = 0;
};

// The dot product of everybody's place with the flow vector; none is below 0. The printed algorithm
// does not say so, but hands out 13 of 7 tasks in its own example without.
[[nodiscard]] std::vector<double> scores(const std::vector<Dimension>& dimensions);

// So many tasks in proportion to the scores: whole ones first, then one each by the largest
// remainder, and of equals to the earlier. All stay with the first where nobody has a score.
// Scores are not negative; the counts add up to `tasks`.
[[nodiscard]] Counts split(std::uint32_t tasks, const std::vector<double>& scores);

// What somebody will be busy with, in seconds, and how long he takes for one task more.
struct BusyTime {
  double backlog = 0;
  double task = 1;  // above 0
};

// So many tasks, one by one to whoever would finish it first: expected finish times become level,
// as water does. One leaves the first only where it would finish earlier by more than `margin`
// tasks of the first; of equals, the earlier. Our design.
[[nodiscard]] Counts levelled(std::uint32_t tasks, const std::vector<BusyTime>& paces,
                              double margin);

// The same counts, but of those whose queue would become longer than what the first has left, one
// task after the other stays, of the longest first, until there are none. Our design.
[[nodiscard]] Counts only_down(Counts counts, const Counts& queues);

}  // namespace rhizome::agents::vectors
