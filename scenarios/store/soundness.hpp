// Whether what was read from a store belongs together: readers look peers and kinds of messages up
// by what it says. Whoever damaged the file, they are told so and do not crash.
#pragma once

#include "scenarios/outcome/outcome.hpp"

namespace rhizome::scenarios {

// Throws DatabaseError, with the first peer or kind of message that there is not.
void check_sound(const Outcome& outcome);

}  // namespace rhizome::scenarios
