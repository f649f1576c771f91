// The style sheet and the script of a report, which the program carries.
#pragma once

#include <string_view>

#include "tools/names.hpp"

namespace rhizome::tools {

[[nodiscard]] std::string_view page_style();
[[nodiscard]] std::string_view page_drawing();

}  // namespace rhizome::tools
