// The books of a run: what became of its tasks and jobs, and how busy peers were, by its facts.
#pragma once

#include "agents/task.hpp"
#include "scenarios/outcome/outcome.hpp"

namespace rhizome::scenarios {

// Fills in the tasks and jobs of an outcome and the time that its peers were busy. What the
// workload expects is listed whether or not it came; what it does not know is listed as well.
void keep_books(Outcome& outcome, const agents::Workload& workload);

}  // namespace rhizome::scenarios
