// What the command line says about steering a run under way: its pace, and faults by hand.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "scenarios/live/steering.hpp"
#include "tools/cli/command.hpp"

namespace rhizome::tools {

[[nodiscard]] std::vector<Option> steering_options();

// From 0; none: the newest. Throws UsageError.
[[nodiscard]] std::optional<std::uint32_t> number_of_run(const Arguments& arguments);

// What is to be done with a run, unless it is to be watched. Throws UsageError.
[[nodiscard]] std::optional<scenarios::live::Steer> steering_of(const Arguments& arguments);

}  // namespace rhizome::tools
