// Churn: every peer that takes part lives, is gone, comes back and lives again, for durations drawn
// from distributions or written in a file.
#pragma once

#include <span>
#include <vector>

#include "scenarios/world/faults/distribution.hpp"
#include "scenarios/world/faults/outages.hpp"
#include "scenarios/world/model.hpp"
#include "scenarios/world/sections.hpp"

namespace rhizome::scenarios {

// What lives, and what the times between them, can be: nothing drawn, a distribution, or something
// else that the model's word says.
struct LifetimeModel : Model {
  const Distribution* law = nullptr;
};

// By the positions of LifetimeKind and of DowntimeKind. Every distribution is in both.
[[nodiscard]] std::span<const LifetimeModel> lifetime_models();
[[nodiscard]] std::span<const LifetimeModel> downtime_models();
[[nodiscard]] const LifetimeModel& lifetime_model(LifetimeKind kind);
[[nodiscard]] const LifetimeModel& downtime_model(DowntimeKind kind);

// Lives of those peers. Each has streams of its own, derived from the seed and its id, one for
// lives and one for what lies between: nobody's history changes with the number of the others, nor
// the lengths of lives with those of outages. Lives end before `end` only.
void add_lifetimes(Outages& outages, const LifetimesSection& section,
                   std::span<const core::PeerId> peers, core::Time end, std::uint64_t seed);

}  // namespace rhizome::scenarios
