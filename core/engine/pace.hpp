// The pace of a run in virtual time: an observer may hold the run, let it take single steps, or
// slow it down. This changes real time only: events and their times stay the same.
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

  // `held`: from before the first event, until a command lets the run go.
  explicit Pace(bool held = false) : held_(held), held_since_(Clock::now()) {}

  // Holds the run after the present step.
  void hold();
  // Lets the run go on, at the speed that was asked for last.
  void go();
  // Lets the run take so many more steps, and holds it.
  void step(std::uint64_t steps);
  // Lets the run go on through the events due until then, and holds it.
  void go_until(Time time);
  // Emulated seconds a real one, from now on; 0: as fast as possible.
  void set_speed(double speed);

  [[nodiscard]] bool held() const;
  // The real time for which the run was held, up to `now`.
  [[nodiscard]] Clock::duration held_for(Clock::time_point now) const;
  // The speed that was set last.
  [[nodiscard]] double speed() const;

  // How far the run may go before it asks again.
  struct Leave {
    std::uint64_t steps = unlimited;
    Time until = Time::max();  // of events that are due
  };
  // For the run: it has come to `now`, and its next event is due at `next`. Waits a little where
  // the run may not go on.
  [[nodiscard]] Leave leave(Time now, Time next);
  // For the run: it has taken so many steps.
  void taken(std::uint64_t steps);

 private:
  [[nodiscard]] Time limit(Time now);
  void set_held(bool held);

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool held_;
  Clock::time_point held_since_;     // valid while held
  Clock::duration held_for_{};       // before that
  std::uint64_t steps_ = unlimited;  // steps left to the run
  Time until_ = Time::max();
  double speed_ = 0;
  bool anchored_ = false;  // whether the next two are valid
  Time from_{};
  Clock::time_point since_{};
};

}  // namespace rhizome::core
