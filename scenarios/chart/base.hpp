// What every chart's specification begins with: its data, its font and its colours.
#pragma once

#include "scenarios/json.hpp"

namespace rhizome::scenarios {

[[nodiscard]] Json chart_base(Json values);

}  // namespace rhizome::scenarios
