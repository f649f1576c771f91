// The command that does all runs of a run directory again.
#pragma once

#include <string>

#include "scenarios/store/record.hpp"

namespace rhizome::tools {

// To be called in the directory. Empty if its order says a command that `rhizome run` does not
// write.
[[nodiscard]] std::string command_again(const scenarios::OrderRecord& order);

}  // namespace rhizome::tools
