// The shape of a job's graph, which bounds every scheduler. The critical path is the longest chain
// of tasks that need each other: no number of peers is faster than that.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "agents/task.hpp"

namespace rhizome::agents {

struct GraphShape {
  core::Duration critical_path{0};  // its tasks one after another, on a peer of speed 1
  std::uint32_t depth = 0;          // most tasks of a chain
  std::uint32_t width = 0;          // most tasks of one level; a level: chain before a task
  std::uint64_t edges = 0;          // dependencies
  double bytes = 0;                 // carried by the edges

  // Adds another graph: adds up the counts, and takes the longest and widest of both.
  void add(const GraphShape& other);
  friend bool operator==(const GraphShape&, const GraphShape&) = default;
};

// The shape of a job whose portions are 0, 1, 2 and so on, and whose dependencies name these
// without a cycle.
[[nodiscard]] GraphShape shape_of(const Job& job);

// The most bytes of all data that one of its tasks is given, or gives.
[[nodiscard]] std::uint64_t heaviest_of(const Job& job);

// The number of tasks before each portion in the longest chain of such a job.
[[nodiscard]] std::vector<std::uint32_t> levels_of(const Job& job);

// All pairs of tasks that wait for each other: for needed tasks, and for the task that adds them.
[[nodiscard]] std::vector<Dependency> edges_of(const Job& job);

// Portions in topological order, including added tasks; those in a cycle are left out.
[[nodiscard]] std::vector<std::uint32_t> order_of(const Job& job);

// A portion in a cycle; none if there is no cycle.
[[nodiscard]] std::optional<std::uint32_t> portion_in_cycle(const Job& job);

}  // namespace rhizome::agents
