// The offset of a steady clock here to one at another process, from pings: an interval that
// contains the true offset for any delays of the path. Every ping bounds it from both sides; the
// interval is the intersection.
#pragma once

#include <chrono>
#include <cstdint>

#include "core/mesh/frame.hpp"

namespace rhizome::core {

// A ping that came back: by the clock here when it was sent and when its answer came, by the clock
// there when it was received and answered.
struct PingTimes {
  ClockTime sent{};
  ClockTime received{};
  ClockTime answered{};
  ClockTime came{};
};

class ClockOffset {
 public:
  // Two clocks drift apart by no more than this share of the time: samples are widened by it as
  // they age. Quartz differs by less than 50 parts in a million.
  static constexpr double drift = 50e-6;

  // Adds a ping, in the order of answers. A clock that has drifted faster than the bound starts
  // anew.
  void add(const PingTimes& ping);

  [[nodiscard]] std::uint32_t samples() const { return samples_; }
  // The shortest round trip of any ping, without the time that the other end took to answer.
  [[nodiscard]] std::chrono::nanoseconds best_round_trip() const { return best_round_trip_; }
  // The clock here minus the clock there. Without a sample, 0.
  [[nodiscard]] std::chrono::nanoseconds offset() const { return least_ + (most_ - least_) / 2; }
  // The truth is no further from it, as of the last sample: half the best round trip, mostly.
  [[nodiscard]] std::chrono::nanoseconds bound() const { return (most_ - least_ + one_) / 2; }
  // The same by now: the last sample has aged since.
  [[nodiscard]] std::chrono::nanoseconds bound(ClockTime now) const {
    return samples_ == 0 ? bound() : bound() + drifted(now - last_);
  }

 private:
  static constexpr std::chrono::nanoseconds one_{1};  // so that halves are rounded up
  // What two clocks may drift apart in that time, at most.
  [[nodiscard]] static std::chrono::nanoseconds drifted(std::chrono::nanoseconds time);

  std::chrono::nanoseconds least_{0};
  std::chrono::nanoseconds most_{0};
  ClockTime last_{};
  std::chrono::nanoseconds best_round_trip_{0};
  std::uint32_t samples_ = 0;
};

}  // namespace rhizome::core
