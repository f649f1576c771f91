// The pieces that a page is told: each behind its length in four bytes, the lowest first. A piece
// is an answer of the run as it came (scenarios/live/messages.hpp), or JSON, which begins with a
// brace.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "scenarios/live/state.hpp"

namespace rhizome::tools {

[[nodiscard]] std::string piece(std::string_view content);
[[nodiscard]] std::string piece(std::span<const std::byte> content);

// The first piece: the names and types of the values of each fact, by the name of the fact, as
// {"task-executed": [["job", "number"], ["portion", "number"], ["took", "time"]]}.
[[nodiscard]] std::string preface();

// All that is known of a run, as a frame that a page can begin with.
[[nodiscard]] scenarios::live::Frame whole_frame(const scenarios::live::State& state);

}  // namespace rhizome::tools
