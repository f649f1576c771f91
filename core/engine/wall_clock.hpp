// The wall clock seen as emulated time: the one place where real time enters an emulation.
#pragma once

#include <atomic>
#include <chrono>
#include <deque>

#include "core/peer/time.hpp"

namespace rhizome::core {

// A correction of a clock that takes effect slowly, so that the corrected clock always goes on,
// never back (machines, section 4).
class Slew {
 public:
  using RealTime = std::chrono::steady_clock::time_point;
  // How much the correction changes in a second. More follows another clock sooner, less distorts
  // durations less: quartz drifts by a quarter of it.
  static constexpr std::chrono::nanoseconds in_a_second{std::chrono::microseconds(200)};
  // A correction begins so long after it was asked for, so that all readers of the clock agree
  // about every moment.
  static constexpr std::chrono::milliseconds ahead{50};

  Slew() = default;
  Slew(const Slew&) = delete;
  Slew& operator=(const Slew&) = delete;

  // Sets the correction to reach, whatever was to be reached before. Ignored while the correction
  // that was asked for last has not begun. Called by one thread only.
  void aim(RealTime now, std::chrono::nanoseconds correction);
  // From any thread.
  [[nodiscard]] std::chrono::nanoseconds at(RealTime moment) const;

 private:
  // Before a leg begins, the leg before it holds.
  struct Leg {
    RealTime from{};
    RealTime until{};
    std::chrono::nanoseconds begin{0};
    std::chrono::nanoseconds end{0};
    const Leg* before = nullptr;
  };

  std::deque<Leg> legs_;
  std::atomic<const Leg*> last_{nullptr};
};

class WallClock {
 public:
  // `scale`: emulated seconds per real second.
  explicit WallClock(double scale) : scale_(scale) {}

  // Sets when emulated time is zero. Not thread-safe: to be called before any thread asks for the
  // time.
  void begin(std::chrono::steady_clock::time_point origin) { origin_ = origin; }

  // The clock of this machine has gained that time: from now on now() leaves it out, little by
  // little. By one thread.
  void follow(std::chrono::nanoseconds gained) {
    slew_.aim(std::chrono::steady_clock::now(), gained);
  }
  // The correction applied so far.
  [[nodiscard]] std::chrono::nanoseconds correction() const {
    return slew_.at(std::chrono::steady_clock::now());
  }

  [[nodiscard]] Time now() const {
    const auto real = std::chrono::steady_clock::now();
    return Time(emulated(real - origin_ - slew_.at(real)));
  }
  [[nodiscard]] Duration emulated(std::chrono::nanoseconds real) const {
    return Duration(static_cast<std::int64_t>(static_cast<double>(real.count()) * scale_));
  }
  // Rounded down, so that a thread that sleeps for it wakes early rather than late.
  [[nodiscard]] std::chrono::nanoseconds real(Duration emulated) const {
    return std::chrono::nanoseconds(
        static_cast<std::int64_t>(static_cast<double>(emulated.count()) / scale_));
  }

 private:
  double scale_;
  std::chrono::steady_clock::time_point origin_{};
  Slew slew_;
};

}  // namespace rhizome::core
