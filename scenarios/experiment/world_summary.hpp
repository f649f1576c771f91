// What a user wants to know of a scenario before it runs: how much it asks of its peers, how far
// they are from each other, and when faults strike.
#pragma once

#include <string>
#include <vector>

#include "scenarios/format/scenario.hpp"
#include "scenarios/world/surroundings.hpp"

namespace rhizome::scenarios {

// One sentence each on load, network and faults, of one repetition. What has no figure is left out.
[[nodiscard]] std::vector<std::string> summary_of(const Scenario& scenario,
                                                  const Surroundings& around);

}  // namespace rhizome::scenarios
