// Completion scripts of shells, made from the table of commands.
#pragma once

#include <string>

namespace rhizome::tools {

[[nodiscard]] std::string bash_script();
[[nodiscard]] std::string fish_script();

}  // namespace rhizome::tools
