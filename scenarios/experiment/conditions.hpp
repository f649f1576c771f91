// The conditions of one repetition of a scenario: the same for all of its schedulers.
#pragma once

#include <cstdint>

#include "scenarios/format/scenario.hpp"
#include "scenarios/world/surroundings.hpp"

namespace rhizome::scenarios {

// The seed of one repetition, the same for all schedulers.
[[nodiscard]] std::uint64_t repetition_seed(const Scenario& scenario, std::uint32_t repetition);

// Throws InputError for files that cannot be used and for options that a scheduler refuses.
[[nodiscard]] Surroundings make_surroundings(const Scenario& said, std::uint64_t seed);

}  // namespace rhizome::scenarios
