// What a scenario says about the network and can not be, beyond the bounds of single keys.
#pragma once

#include <string>

#include "scenarios/format/document.hpp"
#include "scenarios/format/scenario.hpp"

namespace rhizome::scenarios {

// Throws InputError at the key that is wrong. `name` is the scenario's file.
void check_network(const Document& document, const std::string& name, const Scenario& scenario);

}  // namespace rhizome::scenarios
