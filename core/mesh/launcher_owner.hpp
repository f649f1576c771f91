// The owner of a launcher's server. A launcher that has ended leaves its variables to processes
// that go on. Another user can take its port, and then decides which processes take part in a run.
#pragma once

#include <cstdint>

#include "core/mesh/launcher.hpp"

namespace rhizome::core {

// Checks each server that a variable PMIX_SERVER_URI* names by an address and a port. Throws
// Unreachable, which names the variable, if no process listens there, or if a process of a third
// user does: neither `user` nor root. In a user namespace all users without a number in it look the
// same, so they are accepted.
void check_launcher_owner(const Environment& environment, std::uint32_t user);

}  // namespace rhizome::core
