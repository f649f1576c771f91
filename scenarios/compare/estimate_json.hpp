// Estimates as JSON, the same in every document.
#pragma once

#include "scenarios/compare/statistics.hpp"
#include "scenarios/json.hpp"

namespace rhizome::scenarios {

// JSON has no infinity and no NaN: null.
[[nodiscard]] Json json_number(double value);

// {"value": ..., "interval": [low, high] or null}.
[[nodiscard]] Json json_of(const Estimate& estimate);

}  // namespace rhizome::scenarios
