// A greedy schedule: what any work takes where no peer rests that has room for the task whose turn
// it is. Promises of schedulers are measured against it.
#pragma once

#include <functional>
#include <vector>

#include "agents/arrivals.hpp"
#include "agents/resources.hpp"
#include "core/peer/time.hpp"

namespace rhizome::agents::bounds {

// When the last task ends, if tasks begin in the order in which they may run, each at the slowest
// peer with room, and none before one that came sooner. The slowest, because a schedule is greedy
// whichever it takes, and most schedulers know no speeds: whoever may take any is compared with the
// worst. A task takes its service time and what `beside` says. Every task fits some peer. Saturated
// at the end of the clock.
[[nodiscard]] core::Time greedy_end(Arrivals& arrivals, std::vector<Capacity> peers,
                                    const std::function<core::Duration(const Task&)>& beside);

}  // namespace rhizome::agents::bounds
