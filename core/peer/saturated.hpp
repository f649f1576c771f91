// Sums of times that saturate: instants of a run fit its clock, but the total wait of millions of
// packets may not fit, nor may the values of a damaged store.
#pragma once

#include <cstdint>

#include "core/peer/time.hpp"

namespace rhizome::core {

// Adds to the sum, as far as a duration reaches.
constexpr void add_up(Duration& sum, Duration more) {
  std::int64_t total = 0;
  if (__builtin_add_overflow(sum.count(), more.count(), &total))
    sum = more < Duration::zero() ? Duration::min() : Duration::max();
  else
    sum = Duration(total);
}

// `count` times `one`, at most the longest duration. `one` is not negative.
[[nodiscard]] constexpr Duration times(std::uint32_t count, Duration one) {
  std::int64_t total = 0;
  return __builtin_mul_overflow(count, one.count(), &total) ? Duration::max() : Duration(total);
}

}  // namespace rhizome::core
