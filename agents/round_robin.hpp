// Round robin: every task to the next peer in turn. The smallest scheduler, as a floor to compare
// with and as an example of what adding one takes.
#pragma once

#include "agents/scheduler.hpp"

namespace rhizome::agents {

[[nodiscard]] Scheduler round_robin();

}  // namespace rhizome::agents
