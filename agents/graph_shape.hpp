// The shape of a job's graph: what it asks of any scheduler, however good. The critical path is the
// longest chain of tasks that need each other; no number of peers is faster than that.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "agents/task.hpp"

namespace rhizome::agents {

struct GraphShape {
  core::Duration critical_path{0};  // its tasks one after another, on a peer of speed 1
  std::uint32_t depth = 0;          // most tasks of a chain
  std::uint32_t width = 0;          // most tasks of one level, which is the chain before a task
  std::uint64_t edges = 0;          // dependencies
  double bytes = 0;                 // that they carry

  // Another graph beside it: sums of what there is, and the longest and widest of both.
  void add(const GraphShape& other);
  friend bool operator==(const GraphShape&, const GraphShape&) = default;
};

// Of a job whose portions are 0, 1, 2 and so on, and whose dependencies name these and no cycle.
[[nodiscard]] GraphShape shape_of(const Job& job);

// The most bytes that one of its tasks is given by those that it needs, or gives to those that need
// it.
[[nodiscard]] std::uint64_t heaviest_of(const Job& job);

// How many tasks stand before each portion in the longest chain of such a job.
[[nodiscard]] std::vector<std::uint32_t> levels_of(const Job& job);

// All that tasks of the job wait for: those they need, and the one that adds them.
[[nodiscard]] std::vector<Dependency> edges_of(const Job& job);

// Portions after all that they wait for, tasks that others add among them; those in a cycle are
// left out.
[[nodiscard]] std::vector<std::uint32_t> order_of(const Job& job);

// A portion that needs itself, by way of others or not; none where there is no cycle.
[[nodiscard]] std::optional<std::uint32_t> portion_in_cycle(const Job& job);

}  // namespace rhizome::agents
