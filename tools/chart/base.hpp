// The common beginning of every chart's specification: its data, its font and its palette.
#pragma once

#include <string>
#include <vector>

#include "scenarios/text/json.hpp"
#include "tools/names.hpp"

namespace rhizome::tools {

[[nodiscard]] Json chart_base(Json values);

// The tooltip of a mark: those fields, with numbers of four digits.
[[nodiscard]] Json told_of(const std::vector<std::string>& words,
                           const std::vector<std::string>& numbers);

}  // namespace rhizome::tools
