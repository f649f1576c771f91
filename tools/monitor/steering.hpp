// Steering a run under way from outside.
#pragma once

#include <string>

#include "scenarios/live/steering.hpp"
#include "tools/monitor/registry.hpp"

namespace rhizome::tools {

// Returns once it is done: what that was, where it was a fault. Throws UnreadableFile where the run
// refuses or does not answer, and core::ExchangeFailed.
[[nodiscard]] std::string steer(const RegisteredRun& run, const scenarios::live::Steer& command);

}  // namespace rhizome::tools
