// What a scenario says about faults and can not be, beyond the bounds of single keys.
#pragma once

#include <string>

#include "scenarios/format/document.hpp"
#include "scenarios/format/scenario.hpp"

namespace rhizome::scenarios {

// Throws InputError at the key that is wrong. `name` is the scenario's file.
void check_faults(const Document& document, const std::string& name, const Scenario& scenario);

}  // namespace rhizome::scenarios
