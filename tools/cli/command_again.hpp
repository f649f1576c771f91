// The command that does all runs of a run directory again.
#pragma once

#include <string>

#include "scenarios/store/record.hpp"

namespace rhizome::tools {

// To be called in the directory.
[[nodiscard]] std::string command_again(const scenarios::OrderRecord& order);

// The same, to be shown to a user, who may take it into a shell. Empty if the order says a command
// that neither `rhizome run` nor `rhizome tournament` writes: it may come from a stranger.
[[nodiscard]] std::string shown_command_again(const scenarios::OrderRecord& order);

}  // namespace rhizome::tools
