// HEFT, a bound with all knowledge for tasks that need each other: the longest way to the end of
// the graph goes first, and each task goes where it ends first, between others where it fits
// (Topcuoglu, Hariri and Wu, IEEE TPDS 13(3), 2002). Nobody sends a message, and what a task hands
// to another is there at once, unless an option says otherwise.
#pragma once

#include "agents/scheduler.hpp"

namespace rhizome::agents {

[[nodiscard]] Scheduler heft();

}  // namespace rhizome::agents
