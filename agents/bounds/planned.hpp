// A run that follows a plan: tasks enter at the peer that the plan gives them to, at the time from
// which they may run, and no peer sends a message. Clients of such a run know the plan.
//
// A task that needs others begins when they should be done by the plan. In virtual time they are;
// on threads a task may begin before a task that it needs is done, by as much as timers are late.
#pragma once

#include <memory>
#include <string>

#include "agents/bounds/plan.hpp"
#include "agents/scheduler.hpp"

namespace rhizome::agents::bounds {

// Each task first waits for `reaction`, until its order could have been given.
[[nodiscard]] Deployment follow(std::shared_ptr<const PlacementPlan> plan, const World& world,
                                core::Duration reaction = core::Duration::zero());

// Why this world's work cannot be planned, as a sentence; empty if it can.
[[nodiscard]] std::string unplannable(const World& world);

}  // namespace rhizome::agents::bounds
