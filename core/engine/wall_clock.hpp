// The wall clock seen as emulated time: the one place where real time enters an emulation.
#pragma once

#include <chrono>

#include "core/engine/slew.hpp"
#include "core/peer/time.hpp"

namespace rhizome::core {

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
