// Standard output, where results go.
#pragma once

#include <string_view>

namespace rhizome::tools {

// Prints text of any number of lines; control characters in it are escaped (plain_text.hpp).
void print_text(std::string_view text);
// The same at once, with the end of its line, for readers that wait for it.
void print_line(std::string_view line);

}  // namespace rhizome::tools
