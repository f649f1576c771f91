// A correction of a clock that takes effect slowly, so that the corrected clock always goes on,
// never back (machines, section 4).
#pragma once

#include <atomic>
#include <chrono>
#include <deque>

namespace rhizome::core {

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
  // May be called from any thread.
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

}  // namespace rhizome::core
