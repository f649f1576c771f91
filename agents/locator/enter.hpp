// The tasks of a job as a locator moves them, each with those that it has to do with.
#pragma once

#include <vector>

#include "agents/locator/messages.hpp"
#include "agents/task.hpp"

namespace rhizome::agents::locator {

// All at one peer, in the order given. Portions are 0, 1, 2 and so on, and dependencies name these.
[[nodiscard]] std::vector<Mobile> mobiles_of(const std::vector<Task>& tasks,
                                             const std::vector<Dependency>& dependencies,
                                             PeerId at);

}  // namespace rhizome::agents::locator
