// The scenario that a new user begins with: a small comparison of two schedulers, in which every
// key is explained by what the table of keys says of it.
#pragma once

#include <string>

namespace rhizome::tools {

// A valid scenario file of seconds in virtual time.
[[nodiscard]] std::string starter_scenario();

}  // namespace rhizome::tools
