// Graphs of tasks in the DOT language of Graphviz, as SimGrid, DAGGEN and people write them.
#pragma once

#include <memory>

#include "agents/arrivals.hpp"
#include "scenarios/world/sections.hpp"

namespace rhizome::scenarios {

// The digraph in section.file, as one job: a node is a task, and `a -> b` says that b needs a. A
// node's `duration`, `runtime` or `size` is in seconds, times duration_scale; its `cpus` or `cores`
// are slots, 1 if left out. An edge's `bytes` or `size` is what a gives b. Defaults of
// `node [...]` and `edge [...]` and subgraphs count as in Graphviz; other attributes do not matter.
// Throws UnreadableFile, and InputError with line and column.
[[nodiscard]] std::unique_ptr<agents::Arrivals> open_dot(const WorkloadSection& section);

}  // namespace rhizome::scenarios
