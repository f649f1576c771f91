// Steering a run under way from outside.
#pragma once

#include <stdexcept>
#include <string>

#include "scenarios/live/steering.hpp"
#include "tools/monitor/registry.hpp"

namespace rhizome::tools {

// The run does not do it, which is why.
class NotSteered : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Returns once the command is done: for a fault, a description of it. Throws NotSteered if the run
// refuses or does not answer, and core::ExchangeFailed.
[[nodiscard]] std::string steer(const RegisteredRun& run, const scenarios::live::Steer& command);

}  // namespace rhizome::tools
