// Overlays without a scheduler on them, so that they can be measured by themselves.
#pragma once

#include <string_view>

#include "agents/scheduler.hpp"

namespace rhizome::agents {

// A link of a random view, noted after the last cycle. other: who is known.
inline constexpr std::string_view link_held = "link-held";
// Which share of its best neighbours a peer knows, noted after every cycle. subject: its number,
// from 1; value: from 0 to 1.
inline constexpr std::string_view neighbours_right = "neighbours-right";
// A view holds what no view may hold, looked for after every cycle. other: the link; reason: what
// is wrong with it.
inline constexpr std::string_view view_broken = "view-broken";

inline constexpr std::string_view overlay_only_name = "overlay-only";
[[nodiscard]] Scheduler overlay_only();

}  // namespace rhizome::agents
