// Emulated time: the only time that protocols see. Engines map it on the wall clock or jump through
// it.
#pragma once

#include <chrono>
#include <cstdint>

namespace rhizome::core {

using Duration = std::chrono::nanoseconds;

// The clock of an emulation; it has no now(), because only an engine knows what time it is.
struct EmulatedClock {
  using duration = Duration;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<EmulatedClock>;
  static constexpr bool is_steady = true;
};

// A point in emulated time; a default Time is the start of the run.
using Time = EmulatedClock::time_point;

[[nodiscard]] constexpr double seconds(Duration d) {
  return std::chrono::duration<double>(d).count();
}
[[nodiscard]] constexpr double seconds(Time t) { return seconds(t.time_since_epoch()); }

// The duration nearest to `s` seconds, saturated at what a Duration can hold (about 292 years).
[[nodiscard]] constexpr Duration from_seconds(double s) {
  constexpr double most = 9.2e9;
  const double clamped = s > most ? most : (s < -most ? -most : s);
  return Duration(static_cast<std::int64_t>(clamped * 1e9 + (clamped < 0 ? -0.5 : 0.5)));
}

// Sums of times that saturate: instants of a run fit its clock, but the total wait of millions of
// packets may not fit, nor may the values of a damaged store.
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
