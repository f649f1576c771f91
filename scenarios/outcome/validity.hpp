// The verdict on an emulation: an emulator that cannot keep up distorts time silently, so every run
// on threads reports whether it kept up.
#pragma once

#include "agents/arrivals.hpp"
#include "core/engine/engine.hpp"
#include "scenarios/outcome/outcome.hpp"

namespace rhizome::scenarios {

// The tolerance of a scenario; where it states none (0), 5 % of the mean duration of a task,
// because a makespan is a chain of executions and each link may be late.
[[nodiscard]] Duration lag_tolerance(Duration stated, const agents::Profile& profile);

// A peer that waits for a stalled thread is delayed as well. A single stall may last this many
// tolerances, which is as long as a mean task unless the scenario states a tolerance. All stalls
// longer than the tolerance may add up to this share of the run.
inline constexpr int tolerated_at_once = 20;
inline constexpr double tolerated_share = 0.05;

// Valid if 99 of 100 packets, timers, work ends and handlers were late (or long) by no more than
// the tolerance, and if no peer stalled for longer than is tolerated; suspect within four times
// that; else invalid. For packets between processes, the worst possible difference of the clocks is
// added. The first condition is about all peers together, so that one peer of twenty could stall
// for seconds unnoticed; the second is about each peer. The remedy names a sufficient time scale,
// estimated from that of the run. `length`: of the run, in emulated time.
[[nodiscard]] Validity judge_validity(const core::Fidelity& fidelity, Duration tolerance,
                                      double time_scale, Duration length);

// The validity of a run in which peers were lost. It is invalid in any case, because its results
// are of fewer peers.
[[nodiscard]] Validity invalid_by_loss(const std::vector<core::LostPeers>& lost,
                                       core::PeerId source, const Validity& otherwise);

[[nodiscard]] std::string_view name_of(Validity::Level level);

}  // namespace rhizome::scenarios
