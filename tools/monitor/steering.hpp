// Steering a run under way from outside.
#pragma once

#include "scenarios/live/steering.hpp"
#include "tools/monitor/registry.hpp"

namespace rhizome::tools {

// Returns once it is done. Throws UnreadableFile where the run refuses or does not answer, and
// core::ExchangeFailed.
void steer(const RegisteredRun& run, const scenarios::live::Steer& command);

}  // namespace rhizome::tools
