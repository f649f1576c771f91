// Frames as JSON, for programs.
#pragma once

#include <string>

#include "scenarios/live/messages.hpp"
#include "scenarios/live/state.hpp"

namespace rhizome::tools {

// The contents of the latest frame, a JSON object on one line: totals, facts, and the rows of peers
// that it changed. Times are seconds.
[[nodiscard]] std::string frame_line(const scenarios::live::State& state,
                                     const scenarios::live::FactSlice& facts,
                                     const scenarios::live::Welcome& welcome);

}  // namespace rhizome::tools
