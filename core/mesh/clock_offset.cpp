#include "core/mesh/clock_offset.hpp"

#include <algorithm>

namespace rhizome::core {

using std::chrono::nanoseconds;

nanoseconds ClockOffset::drifted(nanoseconds time) {
  return nanoseconds(static_cast<std::int64_t>(static_cast<double>(time.count()) * drift)) + one_;
}

// A ping is sent before it is received, and answered before the answer arrives.
void ClockOffset::add(const PingTimes& ping) {
  const nanoseconds least = ping.sent - ping.received;
  const nanoseconds most = ping.came - ping.answered;
  const nanoseconds widened = samples_ == 0 ? nanoseconds{0} : drifted(ping.came - last_);
  const nanoseconds both_least = std::max(least, least_ - widened);
  const nanoseconds both_most = std::min(most, most_ + widened);
  const bool fits = samples_ > 0 && both_least <= both_most;
  least_ = fits ? both_least : least;
  most_ = fits ? both_most : most;
  const nanoseconds trip = (ping.came - ping.sent) - (ping.answered - ping.received);
  best_round_trip_ = samples_ == 0 ? trip : std::min(best_round_trip_, trip);
  last_ = ping.came;
  ++samples_;
}

}  // namespace rhizome::core
