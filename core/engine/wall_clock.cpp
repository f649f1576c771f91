#include "core/engine/wall_clock.hpp"

#include <cstdint>

namespace rhizome::core {

using std::chrono::nanoseconds;

namespace {

constexpr std::int64_t rate = std::chrono::seconds(1) / Slew::in_a_second;

}  // namespace

void Slew::aim(RealTime now, nanoseconds correction) {
  const Leg* last = last_.load(std::memory_order_relaxed);
  if (last != nullptr && now < last->from) return;
  if (correction == (last == nullptr ? nanoseconds{0} : last->end)) return;
  const RealTime from = now + ahead;
  const nanoseconds begin = at(from);
  legs_.push_back({.from = from,
                   .until = from + rate * std::chrono::abs(correction - begin),
                   .begin = begin,
                   .end = correction,
                   .before = last});
  last_.store(&legs_.back(), std::memory_order_release);
}

nanoseconds Slew::at(RealTime moment) const {
  const Leg* leg = last_.load(std::memory_order_acquire);
  while (leg != nullptr && moment < leg->from) leg = leg->before;
  if (leg == nullptr) return nanoseconds{0};
  if (moment >= leg->until) return leg->end;
  const nanoseconds part = (moment - leg->from) / rate;
  return leg->begin + (leg->end < leg->begin ? -part : part);
}

}  // namespace rhizome::core
