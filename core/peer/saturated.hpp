// Saturated sums of times: instants of a run stay within what its clock can count, but what
// millions of packets wait together need not, nor what a damaged store says.
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

// So many times as long, as far as a duration reaches. Of one that is not negative.
[[nodiscard]] constexpr Duration times(std::uint32_t count, Duration one) {
  std::int64_t total = 0;
  return __builtin_mul_overflow(count, one.count(), &total) ? Duration::max() : Duration(total);
}

}  // namespace rhizome::core
