// A scheduler that is a program of the user's, in any language: each peer hands its events to a
// process, which says over the wire (wire.hpp) what the peer does.
#pragma once

#include <string_view>

#include "agents/scheduler.hpp"

namespace rhizome::agents {

inline constexpr std::string_view program_name = "program";

[[nodiscard]] Scheduler program_scheduler();

}  // namespace rhizome::agents
