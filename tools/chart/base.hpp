// What every chart's specification begins with: its data, its font and its colours.
#pragma once

#include "scenarios/text/json.hpp"
#include "tools/names.hpp"

namespace rhizome::tools {

[[nodiscard]] Json chart_base(Json values);

}  // namespace rhizome::tools
