// The children of this process, also those that it has inherited as a subreaper.
#pragma once

#include <sys/types.h>

#include <set>

namespace rhizome::core {

// Those of all threads. Some may be missed while others end. The kernel's own lists name also those
// whose entries /proc hides from this user (hidepid).
[[nodiscard]] std::set<pid_t> children_of_this();

}  // namespace rhizome::core
