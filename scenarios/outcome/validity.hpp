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

// Whoever waits for a peer whose thread stands still waits as long. At once a thread may do so for
// this many tolerances, which is as long as a mean task unless the scenario states a tolerance; and
// all in all, counting what is longer than the tolerance, for this share of the run.
inline constexpr int tolerated_at_once = 20;
inline constexpr double tolerated_share = 0.05;

// Valid if 99 of 100 packets, timers, work ends and handlers were late (or long) by no more than
// the tolerance, packets between processes with what their clocks may have been apart at worst, and
// if no peer stood still for longer than is tolerated; suspect within four times that; else
// invalid. The first is about all peers together, so that one of twenty may be frozen for seconds
// unnoticed; the second is about each. The remedy names the time scale that would do, estimated
// from the one of the run. `length`: of the run, emulated.
[[nodiscard]] Validity judge_validity(const core::Fidelity& fidelity, Duration tolerance,
                                      double time_scale, Duration length);

// Of a run in which peers were lost, whatever it was else: what it says is of fewer peers.
[[nodiscard]] Validity invalid_by_loss(const std::vector<core::LostPeers>& lost,
                                       const Validity& otherwise);

[[nodiscard]] std::string_view name_of(Validity::Level level);

}  // namespace rhizome::scenarios
