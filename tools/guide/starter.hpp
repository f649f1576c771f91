// The first scenario of a new user: a small comparison of two schedulers, in which every key is
// explained by the table of keys.
#pragma once

#include <string>

namespace rhizome::tools {

// A valid scenario file of seconds in virtual time.
[[nodiscard]] std::string starter_scenario();

}  // namespace rhizome::tools
