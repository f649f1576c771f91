// Steered runs: the faults and cuts that a user caused by hand, as part of the outcome, and as a
// scenario that repeats them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/engine/steering.hpp"
#include "scenarios/format/scenario.hpp"
#include "scenarios/outcome/outcome.hpp"

namespace rhizome::scenarios {

// Lets schedulers take precautions against the faults that a monitor may cause, as in the scenario
// that repeats them: KEY=VALUE of a command line.
inline constexpr const char* expects_faults = "faults.expected=true";

// The faults and cuts of a run of that scenario, both planned and by hand. The result is empty
// where the run was not steered, for instance because `steering` is null. Planned faults that had
// no effect are left out.
[[nodiscard]] Steered steered_by(const core::Steering* steering,
                                 const std::vector<core::Fault>& planned, const Scenario& scenario);

// When the network is cut, both as planned and by hand.
[[nodiscard]] std::vector<NetworkCut> cuts_of(const Scenario& scenario,
                                              const Steered& steered = {});

// When the last planned cut heals. A cut that outlasts the run never heals.
[[nodiscard]] core::Time healed(const Scenario& scenario);

// A whole scenario of that one run: every fault is an event at its time, and every cut by hand a
// partition. In virtual time it does the same run again, to the byte. Files have the names that
// they have in the directory of the run; those of a sweep stay where they are.
[[nodiscard]] std::string steered_toml(std::span<const Cell> cells, const Outcome& outcome);

}  // namespace rhizome::scenarios
