// Rates as people write them: "10Mbit/s", "1.5Gbit/s".
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/peer/rate.hpp"

namespace rhizome::scenarios {

// A number and a unit: bit/s, kbit/s, Mbit/s or Gbit/s. Nothing for any other text.
[[nodiscard]] std::optional<core::Rate> parse_rate(std::string_view text);

// Whether the text is a rate, and too high to be counted.
[[nodiscard]] bool is_beyond_rate(std::string_view text);

// The shortest exact text that parse_rate reads back.
[[nodiscard]] std::string rate_text(core::Rate rate);

}  // namespace rhizome::scenarios
