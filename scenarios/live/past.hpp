// The past of a run: its totals at about equal distances of real time, so that a monitor that
// connects late sees the past. Its size is bounded: when it is full, every second moment is
// removed, and later moments are kept half as often.
#pragma once

#include <chrono>
#include <cstddef>
#include <vector>

#include "scenarios/live/frame.hpp"

namespace rhizome::scenarios::live {

class Past {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::size_t most = 1024;

  explicit Past(Clock::time_point begin, Clock::duration distance = std::chrono::seconds(1))
      : next_(begin + distance), distance_(distance) {}

  // When the next moment is to be kept.
  [[nodiscard]] Clock::time_point due() const { return next_; }
  // Keeps a moment.
  void add(Clock::time_point now, const Moment& moment) {
    moments_.push_back(moment);
    if (moments_.size() == most) thin_out();
    pass_over(now);
  }
  // Skips the moment that is due, because it is unknown.
  void pass_over(Clock::time_point now) { next_ = now + distance_; }
  [[nodiscard]] const std::vector<Moment>& moments() const { return moments_; }

 private:
  void thin_out() {
    for (std::size_t i = 0; i < most / 2; ++i) moments_[i] = moments_[2 * i + 1];
    moments_.resize(most / 2);
    distance_ *= 2;
  }

  Clock::time_point next_;
  Clock::duration distance_;
  std::vector<Moment> moments_;
};

}  // namespace rhizome::scenarios::live
