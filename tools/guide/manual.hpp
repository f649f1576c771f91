// The manual page of the command, made from the table of commands as the help is.
#pragma once

#include <string>

namespace rhizome::tools {

// For man(1): roff with its macros "man".
[[nodiscard]] std::string manual_page();

}  // namespace rhizome::tools
