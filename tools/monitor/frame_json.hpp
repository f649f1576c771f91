// Frames as JSON, for programs.
#pragma once

#include "scenarios/live/messages.hpp"
#include "scenarios/live/state.hpp"
#include "scenarios/text/json.hpp"

namespace rhizome::tools {

// The contents of the latest frame: totals, the rows of peers that it changed, and facts. Times are
// seconds.
[[nodiscard]] scenarios::Json frame_json(const scenarios::live::State& state,
                                         const scenarios::live::FactSlice& facts,
                                         const scenarios::live::Welcome& welcome);

}  // namespace rhizome::tools
