// Churn: every peer that takes part lives, is gone, comes back and lives again, for durations drawn
// from distributions or written in a file.
#pragma once

#include <span>

#include "scenarios/world/faults/outages.hpp"
#include "scenarios/world/model.hpp"
#include "scenarios/world/sections.hpp"

namespace rhizome::scenarios {

// The distributions of lives, in the order of LifetimeKind.
[[nodiscard]] std::span<const Model> lifetime_models();

// Lives of those peers. Each has streams of its own, derived from the seed and its id, one for
// lives and one for what lies between: nobody's history changes with the number of the others, nor
// the lengths of lives with those of outages. Lives end before `end` only.
void add_lifetimes(Outages& outages, const LifetimesSection& section,
                   std::span<const core::PeerId> peers, core::Time end, std::uint64_t seed);

}  // namespace rhizome::scenarios
