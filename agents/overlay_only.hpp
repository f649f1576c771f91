// Overlays without a scheduler on them, so that they can be measured by themselves.
#pragma once

#include <string_view>

#include "agents/scheduler.hpp"

namespace rhizome::agents {

inline constexpr std::string_view overlay_only_name = "overlay-only";
[[nodiscard]] Scheduler overlay_only();

}  // namespace rhizome::agents
