// Durations as people write them: "250ms", "1.5s".
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/peer/time.hpp"

namespace rhizome::scenarios {

// A number and a unit: ns, us, ms, s, min, h or d. Nothing for any other text.
[[nodiscard]] std::optional<core::Duration> parse_duration(std::string_view text);

// Whether the text is a duration, and too long to be counted in nanoseconds: 292 years.
[[nodiscard]] bool is_beyond_duration(std::string_view text);

// The shortest exact text that parse_duration reads back.
[[nodiscard]] std::string duration_text(core::Duration duration);

// A rough text with three digits, for people only: "8.77s". Hours have as many as they need.
[[nodiscard]] std::string rough_text(core::Duration duration);

}  // namespace rhizome::scenarios
