// Rates: how much a line passes in a second.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

#include "core/peer/time.hpp"

namespace rhizome::core {

struct Rate {
  std::int64_t bits_per_second = 0;
  friend constexpr auto operator<=>(const Rate&, const Rate&) = default;
};

// How long so many bytes take; the rate must be above 0.
[[nodiscard]] constexpr Duration time_for(std::size_t bytes, Rate rate) {
  return from_seconds(8.0 * static_cast<double>(bytes) / static_cast<double>(rate.bits_per_second));
}

}  // namespace rhizome::core
