// A greedy schedule: how long any work takes if no peer rests that has room for the next task.
// Promises of schedulers are measured against it.
#pragma once

#include <functional>
#include <vector>

#include "agents/arrivals.hpp"
#include "agents/resources.hpp"
#include "core/peer/time.hpp"

namespace rhizome::agents::bounds {

// When the last task ends, if tasks begin in the order in which they may run, each at the slowest
// peer with room, and none before a task that came sooner. The slowest peer, because a schedule is
// greedy with any choice and most schedulers know no speeds: a scheduler that may choose any peer
// is compared with the worst choice. A task takes its service time and what `beside` returns. Every
// task must fit some peer. The result is saturated at the end of the clock. It is that end if the
// last task ends after `until`, and what comes later than that is not read.
[[nodiscard]] core::Time greedy_end(Arrivals& arrivals, std::vector<Capacity> peers,
                                    const std::function<core::Duration(const Task&)>& beside,
                                    core::Time until = core::Time::max());

}  // namespace rhizome::agents::bounds
