// A correction of a clock that comes about slowly, so that the corrected clock goes on all the
// time, never back (machines, section 4).
#pragma once

#include <atomic>
#include <chrono>
#include <deque>

namespace rhizome::core {

class Slew {
 public:
  using RealTime = std::chrono::steady_clock::time_point;
  // By so much the correction changes in a second. More follows another clock sooner, less disturbs
  // the lengths of times less: quartz drifts by a quarter of it.
  static constexpr std::chrono::nanoseconds in_a_second{std::chrono::microseconds(200)};
  // From so long after it was asked for, so that all who read the clock agree about every moment.
  static constexpr std::chrono::milliseconds ahead{50};

  Slew() = default;
  Slew(const Slew&) = delete;
  Slew& operator=(const Slew&) = delete;

  // The correction is to become that, whatever it was to become before. While what was asked for
  // last has not begun, that is passed over. By one thread.
  void aim(RealTime now, std::chrono::nanoseconds correction);
  // From any thread.
  [[nodiscard]] std::chrono::nanoseconds at(RealTime moment) const;

 private:
  // Before it begins, the one before holds.
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
