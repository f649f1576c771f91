// The amounts that peers have, and tasks need, of the resources that a scenario names.
#pragma once

#include <vector>

#include "agents/amounts.hpp"
#include "core/peer/rng.hpp"
#include "scenarios/world/sections.hpp"

namespace rhizome::scenarios {

// The amounts of one peer or task, in the order of the names. A resource that is equal for all
// draws no random number.
[[nodiscard]] agents::Amounts draw_amounts(const std::vector<ResourceSection>& resources,
                                           core::Rng& rng);

}  // namespace rhizome::scenarios
