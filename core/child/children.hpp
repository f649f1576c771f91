// The children of this process, also those that it has inherited as a subreaper.
#pragma once

#include <sys/types.h>

#include <set>

namespace rhizome::core {

// Those of all threads, as /proc lists them; some may be missed while others end. A list of the
// kernel's own names also those that /proc hides from this user (hidepid).
[[nodiscard]] std::set<pid_t> children_of_this();

}  // namespace rhizome::core
