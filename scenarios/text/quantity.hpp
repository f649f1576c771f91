// Quantities as users write them, a number and a unit without a space. Shared by durations and
// rates.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/peer/rate.hpp"

namespace rhizome::scenarios {

struct Unit {
  std::string_view name;
  std::int64_t size;
};

// The quantity in the smallest unit, rounded. Nothing for other text and for quantities that do not
// fit.
[[nodiscard]] std::optional<std::int64_t> parse_quantity(std::string_view text,
                                                         std::span<const Unit> units);

// Whether the text is a quantity that is too large.
[[nodiscard]] bool is_beyond_count(std::string_view text, std::span<const Unit> units);

// The shortest exact text. Units come from the largest; the smallest has size 1.
[[nodiscard]] std::string quantity_text(std::int64_t quantity, std::span<const Unit> units);

// Rates as people write them: "10Mbit/s", "1.5Gbit/s".
// A number and a unit: bit/s, kbit/s, Mbit/s or Gbit/s. Nothing for any other text.
[[nodiscard]] std::optional<core::Rate> parse_rate(std::string_view text);

// Whether the text is a rate, and too high to be counted.
[[nodiscard]] bool is_beyond_rate(std::string_view text);

// The shortest exact text that parse_rate reads back.
[[nodiscard]] std::string rate_text(core::Rate rate);

}  // namespace rhizome::scenarios
