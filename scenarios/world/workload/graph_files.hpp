// Graphs of tasks from files, each in the format of those who publish them.
#pragma once

#include <memory>

#include "agents/arrivals.hpp"
#include "scenarios/text/json.hpp"
#include "scenarios/world/sections.hpp"

namespace rhizome::scenarios {

// The Pegasus DAX in section.file, as one job. A task takes the seconds of its attribute or Pegasus
// profile `runtime`, times duration_scale, and as many slots as its Pegasus profile `cores` says,
// or one. Each parent gives it the files that the parent writes and the task reads. Throws
// UnreadableFile, and InputError with line and column.
[[nodiscard]] std::unique_ptr<agents::Arrivals> open_dax(const WorkloadSection& section);

// The DOT digraph in section.file, as one job: a node is a task, and `a -> b` says that b needs a.
// A node's `duration`, `runtime` or `size` is in seconds, times duration_scale; its `cpus` or
// `cores` are slots, 1 if left out. An edge's `bytes` or `size` is what a gives b. Defaults of
// `node [...]` and `edge [...]` and subgraphs count as in Graphviz; other attributes do not matter.
// Throws UnreadableFile, and InputError with line and column.
[[nodiscard]] std::unique_ptr<agents::Arrivals> open_dot(const WorkloadSection& section);

// The graph of the Standard Task Graph Set in section.file, as one job; one unit of time is a
// second, times duration_scale. The first and last task, which take no time, are tasks like others,
// and may be left out of the number as the set does. Throws UnreadableFile, and InputError with
// line and column.
[[nodiscard]] std::unique_ptr<agents::Arrivals> open_standard_graph(const WorkloadSection& section);

// The WfFormat workflow in section.file. A task takes its runtime, times duration_scale, and as
// many slots as it had cores; it is given by each parent the files that this writes and it reads.
// Memory is not used. Throws UnreadableFile, and InputError with line and column.
[[nodiscard]] std::unique_ptr<agents::Arrivals> open_wfformat(const WorkloadSection& section);

// The same graph as a document: tasks are named by their numbers, and the data that one task gives
// another are a file.
[[nodiscard]] Json wfformat_of(const agents::Job& job);

}  // namespace rhizome::scenarios
