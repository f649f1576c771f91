// Saturated sums of times: those of a run stay within what its clock can count, but a store that
// somebody has damaged need not keep to that.
#pragma once

#include <cstdint>

#include "core/peer/time.hpp"

namespace rhizome::scenarios {

// Adds to the sum, as far as a duration reaches.
constexpr void add_up(core::Duration& sum, core::Duration more) {
  std::int64_t total = 0;
  if (__builtin_add_overflow(sum.count(), more.count(), &total))
    sum = more < core::Duration::zero() ? core::Duration::min() : core::Duration::max();
  else
    sum = core::Duration(total);
}

// So many times as long, as far as a duration reaches. Of one that is not negative.
[[nodiscard]] constexpr core::Duration times(std::uint32_t count, core::Duration one) {
  std::int64_t total = 0;
  return __builtin_mul_overflow(count, one.count(), &total) ? core::Duration::max()
                                                            : core::Duration(total);
}

}  // namespace rhizome::scenarios
