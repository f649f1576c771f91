// The end of a child with all that it has begun, which are children of this process once their
// parents have ended: it is their subreaper.
#pragma once

#include <sys/types.h>

namespace rhizome::core {

// Kills until no descendant is left.
void sweep();

// Kills the child, its process group and all other descendants, and returns how it ended, as of
// waitpid(). It is reaped last: until then no other process and no other group has its number.
[[nodiscard]] int end_with_all(pid_t child);

}  // namespace rhizome::core
