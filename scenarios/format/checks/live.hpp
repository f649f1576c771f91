// Jobs that come through a pipe come once, and as time goes by.
#pragma once

#include <string>

#include "scenarios/format/document.hpp"
#include "scenarios/format/scenario.hpp"

namespace rhizome::scenarios {

// Throws InputError at what would have them come otherwise. `name` is the scenario's file.
void check_live(const Document& document, const std::string& name, const Scenario& scenario);

}  // namespace rhizome::scenarios
