// Whether a run was given up: its queue or a root died, and the remaining peers noted it; or its
// time ran out.
#pragma once

#include <string>

#include "scenarios/outcome/outcome.hpp"

namespace rhizome::scenarios {

// The reason that most peers gave, the earliest of equals; if no peer gave up and the run reached
// its limit with tasks undone, that its time ran out. Empty if every task completed all the same,
// and for an interrupted run.
[[nodiscard]] std::string failure_of(const Outcome& outcome, Duration limit);

// Whether time was the only reason of the failure: then open tasks say nothing about the scheduler.
[[nodiscard]] bool ran_out_of_time(const Outcome& outcome);

}  // namespace rhizome::scenarios
