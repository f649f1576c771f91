// Programs that another user could exchange.
#pragma once

#include <string>

namespace rhizome::core {

// Whether another user wrote the program, or could exchange it, or put a file beside it, or one of
// its name into a folder of PATH. `program`: a path, or a name that a child looks for in PATH.
[[nodiscard]] bool is_exchangeable_program(const std::string& program);

}  // namespace rhizome::core
