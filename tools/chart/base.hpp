// What every chart's specification begins with: its data, its font and its palette.
#pragma once

#include <string>
#include <vector>

#include "scenarios/text/json.hpp"
#include "tools/names.hpp"

namespace rhizome::tools {

[[nodiscard]] Json chart_base(Json values);

// What is told of a mark that a reader points at: those fields, numbers to four digits.
[[nodiscard]] Json told_of(const std::vector<std::string>& words,
                           const std::vector<std::string>& numbers);

}  // namespace rhizome::tools
