// The verdict on an emulation: an emulator that cannot keep up distorts time silently, so every run
// on threads says whether it did.
#pragma once

#include "agents/arrivals.hpp"
#include "core/engine/engine.hpp"
#include "scenarios/outcome/outcome.hpp"

namespace rhizome::scenarios {

// The tolerance of a scenario; where it states none (0), 5 % of the mean duration of a task,
// because a makespan is a chain of executions and each link may be late.
[[nodiscard]] Duration lag_tolerance(Duration stated, const agents::Profile& profile);

// Valid if 99 of 100 packets, timers, work ends and handlers were late (or long) by no more than
// the tolerance; suspect within four times that; else invalid. The remedy names the time scale that
// would do, estimated from the one of the run.
[[nodiscard]] Validity judge_validity(const core::Fidelity& fidelity, Duration tolerance,
                                      double time_scale);

[[nodiscard]] std::string_view name_of(Validity::Level level);

}  // namespace rhizome::scenarios
