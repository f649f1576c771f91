// A bound for decentralised schedulers: all arrivals, needs and hold times are known, one plan is
// made from them beforehand, and no peer sends a message. With a delay it is an ideal central
// scheduler.
#pragma once

#include "agents/scheduler.hpp"

namespace rhizome::agents {

[[nodiscard]] Scheduler omniscient();

}  // namespace rhizome::agents
