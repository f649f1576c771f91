// Whether the system still gives a process what it is about to need, tried out: libraries that run
// out of it in their own threads end the program, or wait for ever.
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
