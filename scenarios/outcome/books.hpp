// The books of a run: what became of its tasks and jobs, and how busy peers were, by its facts.
#pragma once

#include "scenarios/outcome/outcome.hpp"

namespace rhizome::scenarios {

// Fills in the tasks and jobs of an outcome and the time that its peers were busy. It knows of
// tasks from facts alone, so that one that was born in the run counts like any other.
void keep_books(Outcome& outcome);

}  // namespace rhizome::scenarios
