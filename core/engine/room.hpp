// Tests whether the system still gives a process the resources that it is about to need: libraries
// that run out of them in their own threads end the program, or wait for ever.
#pragma once

#include <cstddef>

namespace rhizome::core {

struct Room {
  std::size_t descriptors = 0;
  std::size_t threads = 0;
};

// Throws LimitExceeded where the system allows less at this moment.
void check_room(const Room& needed);

}  // namespace rhizome::core
