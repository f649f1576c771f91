// Graphs of the Standard Task Graph Set (Tobita and Kasahara 2002): the number of tasks, then a
// line for each, with its number, its time, how many it needs, and which.
#pragma once

#include <memory>

#include "agents/arrivals.hpp"
#include "scenarios/world/sections.hpp"

namespace rhizome::scenarios {

// The graph in section.file, as one job; one unit of time is a second, times duration_scale. The
// first and last task, which take no time, are tasks like others, and may be left out of the number
// as the set does. Throws UnreadableFile, and InputError with line and column.
[[nodiscard]] std::unique_ptr<agents::Arrivals> open_standard_graph(const WorkloadSection& section);

}  // namespace rhizome::scenarios
