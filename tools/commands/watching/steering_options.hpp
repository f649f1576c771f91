// Options of the command line that steer a run under way: its pace, and faults by hand.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "scenarios/live/steering.hpp"
#include "tools/cli/command.hpp"

namespace rhizome::tools {

[[nodiscard]] std::vector<Option> steering_options();

// The number of a run, from 0; none: the newest. Throws UsageError.
[[nodiscard]] std::optional<std::uint32_t> number_of_run(const Arguments& arguments);

// The command for a run; none if the run is only watched. Throws UsageError.
[[nodiscard]] std::optional<scenarios::live::Steer> steering_of(const Arguments& arguments);

}  // namespace rhizome::tools
