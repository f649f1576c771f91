// Figures of a scenario for a user before it runs: the load of its peers, their distances, and the
// times of faults.
#pragma once

#include <string>
#include <vector>

#include "scenarios/format/scenario.hpp"
#include "scenarios/world/surroundings.hpp"

namespace rhizome::scenarios {

// One sentence each on load, network and faults, for one repetition. Parts without a figure are
// left out.
[[nodiscard]] std::vector<std::string> summary_of(const Scenario& scenario,
                                                  const Surroundings& around);

}  // namespace rhizome::scenarios
