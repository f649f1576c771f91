// The conditions of one repetition of a scenario: the same for all of its schedulers.
#pragma once

#include <cstdint>

#include "scenarios/format/scenario.hpp"
#include "scenarios/world/surroundings.hpp"

namespace rhizome::scenarios {

// The seed of one repetition, the same for all schedulers.
[[nodiscard]] std::uint64_t repetition_seed(const Scenario& scenario, std::uint32_t repetition);

// Whether packets between processes take the time of the real network alone, with no emulated
// latency.
[[nodiscard]] bool has_real_latency(const Scenario& scenario);
// Whether one process cannot run the scenario, because it uses the real network and does not say
// how many machines to emulate in its place.
[[nodiscard]] bool needs_several_processes(const Scenario& scenario);

// Whether one process does a run, or several processes that share its peers.
enum class DoneBy : std::uint8_t { one, several };

// Throws InputError for files that cannot be used and for options that a scheduler refuses.
[[nodiscard]] Surroundings make_surroundings(const Scenario& said, std::uint64_t seed,
                                             DoneBy by = DoneBy::one);

}  // namespace rhizome::scenarios
