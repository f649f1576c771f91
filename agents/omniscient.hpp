// A bound for decentralised schedulers: every peer knows all arrivals, needs and hold times, works
// out the same plan by itself, and nobody sends a message.
#pragma once

#include "agents/scheduler.hpp"

namespace rhizome::agents {

[[nodiscard]] Scheduler omniscient();

}  // namespace rhizome::agents
