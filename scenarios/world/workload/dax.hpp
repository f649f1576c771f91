// Workflows as Pegasus DAX, versions 2.1 to 3.6: the XML in which synthetic workflows of known
// applications are published (Bharathi et al. 2008).
#pragma once

#include <memory>

#include "agents/arrivals.hpp"
#include "scenarios/world/sections.hpp"

namespace rhizome::scenarios {

// The workflow in section.file, as one job. A task takes the seconds of its attribute or Pegasus
// profile `runtime`, times duration_scale, and as many slots as its Pegasus profile `cores` says,
// or one. Each parent gives it the files that the parent writes and the task reads. Throws
// UnreadableFile, and InputError with line and column.
[[nodiscard]] std::unique_ptr<agents::Arrivals> open_dax(const WorkloadSection& section);

}  // namespace rhizome::scenarios
