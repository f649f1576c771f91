// HEFT, a bound with all knowledge for tasks that need each other: the task with the longest path
// to the end of the graph goes first, and each task goes to the peer where it ends first, between
// other tasks where it fits (Topcuoglu, Hariri and Wu, IEEE TPDS 13(3), 2002). No peer sends a
// message, and a task's output is at the tasks that need it at once, unless an option says
// otherwise.
#pragma once

#include "agents/scheduler.hpp"

namespace rhizome::agents {

[[nodiscard]] Scheduler heft();

}  // namespace rhizome::agents
