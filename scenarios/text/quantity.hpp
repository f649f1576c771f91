// Quantities as people write them, a number and a unit without a space: what durations and rates
// have in common.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace rhizome::scenarios {

struct Unit {
  std::string_view name;
  std::int64_t size;
};

// In the smallest unit, rounded. Nothing for any other text and for what does not fit.
[[nodiscard]] std::optional<std::int64_t> parse_quantity(std::string_view text,
                                                         std::span<const Unit> units);

// Whether the text is of that form, and only too large.
[[nodiscard]] bool is_beyond_count(std::string_view text, std::span<const Unit> units);

// The shortest exact text. Units come from the largest; the smallest has size 1.
[[nodiscard]] std::string quantity_text(std::int64_t quantity, std::span<const Unit> units);

}  // namespace rhizome::scenarios
