// The style sheet and the script of a report, which the program carries.
#pragma once

#include <string_view>

namespace rhizome::scenarios {

[[nodiscard]] std::string_view page_style();
[[nodiscard]] std::string_view page_drawing();

}  // namespace rhizome::scenarios
