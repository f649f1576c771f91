// What a scenario says about faults and can not be, beyond the bounds of single keys.
#pragma once

#include <string>

#include "scenarios/format/document.hpp"
#include "scenarios/format/scenario.hpp"

namespace rhizome::scenarios {

// Throws InputError at the key that is wrong. `name` is the scenario's file. Times are compared
// with the limit of the run; those for which the workload tells it are added to the scenario.
void check_faults(const Document& document, const std::string& name, Scenario& scenario);

// Refuses a time that is after the limit.
void check_time(const TimedKey& time, Duration limit);

}  // namespace rhizome::scenarios
