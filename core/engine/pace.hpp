// The pace of a run in virtual time: somebody who watches may hold it, let it take single steps, or
// slow it down. It moves real time only: what happens, and when, stays the same.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <limits>
#include <mutex>

#include "core/peer/time.hpp"

namespace rhizome::core {

// Commands come from any thread; one thread does the run.
class Pace {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

  // `held`: from before the first event, until somebody lets it go.
  explicit Pace(bool held = false) : held_(held) {}

  // Holds it after the step that it is about.
  void hold();
  // Lets it go on, at the speed that was asked for last.
  void go();
  // Lets it take so many more steps, and holds it.
  void step(std::uint64_t steps);
  // Lets it go on through what is due until then, and holds it.
  void go_until(Time time);
  // Emulated seconds a real one, from now on; 0: as fast as it can.
  void set_speed(double speed);

  [[nodiscard]] bool held() const;
  // As it was set last.
  [[nodiscard]] double speed() const;

  // How far the run may go before it asks again.
  struct Leave {
    std::uint64_t steps = unlimited;
    Time until = Time::max();  // of what is due
  };
  // The run's: it has come to `now`, and its next event is due at `next`. Waits a little where it
  // may not go on.
  [[nodiscard]] Leave leave(Time now, Time next);
  // The run's: it has taken so many.
  void taken(std::uint64_t steps);

 private:
  [[nodiscard]] Time limit(Time now);

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool held_;
  std::uint64_t steps_ = unlimited;  // that it may still take
  Time until_ = Time::max();
  double speed_ = 0;
  bool anchored_ = false;  // whether the next two belong together
  Time from_{};
  Clock::time_point since_{};
};

}  // namespace rhizome::core
