// A bound for decentralised schedulers: all arrivals, needs and hold times are known, one plan is
// made from them beforehand, and no peer sends a message. With a delay it is an ideal central
// scheduler.
#pragma once

#include <functional>

#include "agents/bounds/plan.hpp"
#include "agents/scheduler.hpp"

namespace rhizome::agents::bounds {

// What the omniscient scheduler works out beforehand.
// Each task goes where it starts first, but not before `reaction` has passed since it arrived, or
// since all were done that it needs; ties go to the lowest address. Tasks are placed in the order
// in which they may run (list scheduling; Graham 1969), on peers that are first-in first-out. Every
// task fits some peer. Incomplete once `stopped` says so.
[[nodiscard]] PlacementPlan plan_for(const World& world, core::Duration reaction,
                                     const std::function<bool()>& stopped);

}  // namespace rhizome::agents::bounds
