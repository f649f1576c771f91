// What no time of a batch is below: work that flows to wherever there is room, and is divided at
// will.
#pragma once

#include <vector>

#include "scenarios/outcome/metrics.hpp"

namespace rhizome::scenarios {

[[nodiscard]] std::vector<Metric> fluid_metrics();

}  // namespace rhizome::scenarios
