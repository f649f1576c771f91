// Steered runs: what somebody did to a run by hand, as part of its outcome, and as a scenario that
// does it again.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/engine/steering.hpp"
#include "scenarios/format/scenario.hpp"
#include "scenarios/outcome/outcome.hpp"

namespace rhizome::scenarios {

// What was done to a run of that scenario, for which these faults were planned; nobody may have
// steered it. Planned faults that found nothing to do are left out.
[[nodiscard]] Steered steered_by(const core::Steering* steering,
                                 const std::vector<core::Fault>& planned, const Scenario& scenario);

// When its network is parted: as planned, and by hand.
[[nodiscard]] std::vector<NetworkCut> cuts_of(const Scenario& scenario,
                                              const Steered& steered = {});

// When the last cut heals of those that are planned; one that outlasts the run never does.
[[nodiscard]] core::Time healed(const Scenario& scenario);

// A whole scenario of that one run: every fault is an event at its time, and every cut by hand a
// partition. In virtual time it does the same run again, to the byte. Files have the names that
// they have in the directory of the run; those of a sweep stay where they are.
[[nodiscard]] std::string steered_toml(std::span<const Cell> cells, const Outcome& outcome);

}  // namespace rhizome::scenarios
