// Whose the server of a launcher is. A launcher that has ended leaves its variables to what goes
// on, and its port to whoever takes it: another user could say who takes part in a run.
#pragma once

#include <cstdint>

#include "core/mesh/launcher.hpp"

namespace rhizome::core {

// Looks at each server that PMIX_SERVER_URI and its like name by a port. Throws Unreachable, with
// the variable, if nobody listens there, or anybody but that user and the system does. Users whom
// the namespace of this process does not know cannot be told apart, and pass.
void check_launcher_owner(const Environment& environment, std::uint32_t user);

}  // namespace rhizome::core
