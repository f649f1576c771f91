// Lower bounds of the times of a batch: for fluid work, which goes wherever there is room, and can
// be divided at will.
#pragma once

#include <vector>

#include "scenarios/outcome/metrics.hpp"

namespace rhizome::scenarios {

[[nodiscard]] std::vector<Metric> fluid_metrics();

}  // namespace rhizome::scenarios
