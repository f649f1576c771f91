// Checks that an outcome read from a store is consistent. Its readers use ids of peers and kinds of
// messages as indices, so a damaged file must cause an error and not a crash.
#pragma once

#include "scenarios/outcome/outcome.hpp"

namespace rhizome::scenarios {

// Throws DatabaseError, which names the first peer or kind of message that does not exist.
void check_sound(const Outcome& outcome);

}  // namespace rhizome::scenarios
