// Estimates as JSON, the same in every document.
#pragma once

#include "scenarios/text/json.hpp"
#include "tools/compare/statistics.hpp"
#include "tools/names.hpp"

namespace rhizome::tools {

// JSON has no infinity and no NaN: null.
[[nodiscard]] Json json_number(double value);

// {"value": ..., "interval": [low, high] or null}.
[[nodiscard]] Json json_of(const Estimate& estimate);

}  // namespace rhizome::tools
