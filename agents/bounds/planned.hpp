// A run that follows a plan: tasks enter at the peer that the plan gives them to, and at the time
// from which they may run, and nobody sends a message. Clients of such a run know the plan.
//
// What needs others begins when they should be done, by the plan. In virtual time they are; on
// threads a task may begin before another is done that it needs, by as much as timers are late.
#pragma once

#include <memory>
#include <string>

#include "agents/bounds/plan.hpp"
#include "agents/scheduler.hpp"

namespace rhizome::agents::bounds {

// Each task waits for its orders first.
[[nodiscard]] Deployment follow(std::shared_ptr<const PlacementPlan> plan, const World& world,
                                core::Duration reaction = core::Duration::zero());

// Why this world's work cannot be planned, as a sentence; empty if it can.
[[nodiscard]] std::string unplannable(const World& world);

}  // namespace rhizome::agents::bounds
