// Whether a run was given up: its queue or a root died, and those left behind said so.
#pragma once

#include <string>

#include "scenarios/outcome/outcome.hpp"

namespace rhizome::scenarios {

// The reason that most peers gave, the earliest of equals. Empty where nobody gave up, where every
// task completed all the same, and where the run was interrupted.
[[nodiscard]] std::string failure_of(const Outcome& outcome);

}  // namespace rhizome::scenarios
