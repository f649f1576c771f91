// What a page asks a run to do, in JSON: {"command": "step", "steps": 100, "run": 2}.
#pragma once

#include <optional>
#include <string>

#include "scenarios/live/steering.hpp"

namespace rhizome::tools {

// Nothing where it says anything else. Runs are counted from 1.
[[nodiscard]] std::optional<scenarios::live::Steer> order_in(const std::string& text);

}  // namespace rhizome::tools
