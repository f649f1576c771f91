// The effective scenario: every value that had an effect, written out, so that a stored run says
// all that it was.
#pragma once

#include <string>

#include "scenarios/format/scenario.hpp"

namespace rhizome::scenarios {

// TOML that parses to the same scenario. Files are named by absolute paths.
[[nodiscard]] std::string effective_toml(const Scenario& scenario);

}  // namespace rhizome::scenarios
