// The books of a run: the fate of its tasks and jobs, and how busy peers were, from its facts.
#pragma once

#include "scenarios/outcome/outcome.hpp"

namespace rhizome::scenarios {

// Fills in the tasks and jobs of an outcome and the time that its peers were busy. It knows tasks
// from facts alone, so that a task added during the run counts like any other.
void keep_books(Outcome& outcome);

}  // namespace rhizome::scenarios
