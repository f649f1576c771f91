// What the omniscient scheduler works out beforehand.
#pragma once

#include <functional>

#include "agents/bounds/plan.hpp"
#include "agents/scheduler.hpp"

namespace rhizome::agents::bounds {

// Each task goes where it starts first, but not before `reaction` has passed since it arrived, or
// since all were done that it needs; ties go to the lowest address. Tasks are placed in the order
// in which they may run (list scheduling; Graham 1969), on peers that are first-in first-out. Every
// task fits some peer. Incomplete once `stopped` says so.
[[nodiscard]] PlacementPlan plan_for(const World& world, core::Duration reaction,
                                     const std::function<bool()>& stopped);

}  // namespace rhizome::agents::bounds
