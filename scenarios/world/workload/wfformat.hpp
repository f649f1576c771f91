// Workflows in WfFormat 1.5, the JSON of WfCommons (Coleman et al. 2022), in which traces of real
// scientific workflows are published: read as one job, and written from any.
#pragma once

#include <memory>

#include "agents/arrivals.hpp"
#include "scenarios/text/json.hpp"
#include "scenarios/world/sections.hpp"

namespace rhizome::scenarios {

// The workflow in section.file. A task takes its runtime, times duration_scale, and as many slots
// as it had cores; it is given by each parent the files that this writes and it reads. Memory is
// not used. Throws UnreadableFile, and InputError with line and column.
[[nodiscard]] std::unique_ptr<agents::Arrivals> open_wfformat(const WorkloadSection& section);

// The same graph as a document: tasks are named by their numbers, and the data that one task gives
// another are a file.
[[nodiscard]] Json wfformat_of(const agents::Job& job);

}  // namespace rhizome::scenarios
