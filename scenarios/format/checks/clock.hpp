// Times that the clock of a run cannot count: it does in nanoseconds, for 292 years.
#pragma once

#include <string>

#include "scenarios/format/document.hpp"
#include "scenarios/format/scenario.hpp"

namespace rhizome::scenarios {

// Throws InputError at the key that leads so far, together with others. `name` is the scenario's
// file.
void check_clock(const Document& document, const std::string& name, const Scenario& scenario);

}  // namespace rhizome::scenarios
