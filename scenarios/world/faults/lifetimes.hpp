// Churn: each peer that takes part alternates between lives and outages, whose durations are drawn
// from distributions or read from a file.
#pragma once

#include <span>
#include <vector>

#include "scenarios/world/faults/distribution.hpp"
#include "scenarios/world/faults/outages.hpp"
#include "scenarios/world/model.hpp"
#include "scenarios/world/sections.hpp"

namespace rhizome::scenarios {

// A model of lives or of the outages between them: a distribution, or something else that the
// model's word names.
struct LifetimeModel : Model {
  const Distribution* law = nullptr;
};

// Indexed by LifetimeKind and DowntimeKind. Every distribution is in both.
[[nodiscard]] std::span<const LifetimeModel> lifetime_models();
[[nodiscard]] std::span<const LifetimeModel> downtime_models();
[[nodiscard]] const LifetimeModel& lifetime_model(LifetimeKind kind);
[[nodiscard]] const LifetimeModel& downtime_model(DowntimeKind kind);

// Adds the outages of those peers. Each peer has two random streams, derived from the seed and its
// id: one for lives and one for outages. So the history of a peer does not depend on the number of
// other peers, and the lengths of lives do not depend on those of outages. Only lives that end
// before `end` are added.
void add_lifetimes(Outages& outages, const LifetimesSection& section,
                   std::span<const core::PeerId> peers, core::Time end, std::uint64_t seed);

}  // namespace rhizome::scenarios
