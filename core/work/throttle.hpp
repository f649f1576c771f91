// The control of a computation: how fast it may go on, and whether it is still wanted.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>

namespace rhizome::core {

class Throttle {
 public:
  // 1: all the time; 0: suspended; between them: that share of the time.
  void pace(double rate) {
    const std::scoped_lock lock(mutex_);
    rate_ = rate;
    changed_.notify_all();
  }
  // The computation is to end soon.
  void cancel() {
    cancelled_ = true;
    pace(1);
  }
  [[nodiscard]] bool cancelled() const { return cancelled_; }
  [[nodiscard]] double rate() const { return rate_; }

  // Called where the computation begins: time before that does not count.
  void begin() { since_ = Clock::now(); }
  // Called by the computation between steps: waits for as long as it has to, and returns whether
  // the computation is to go on.
  [[nodiscard]] bool go_on() {
    debt_ += due_rest(Clock::now() - since_, rate_);
    rest();
    since_ = Clock::now();
    return !cancelled_;
  }

 private:
  using Clock = std::chrono::steady_clock;

  // Rests until no rest worth a pause is due; a new rate or a cancellation wakes it.
  void rest() {
    constexpr std::chrono::milliseconds worth_a_pause{20};
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return rate_ > 0 || cancelled_; });
      if (cancelled_ || debt_ < worth_a_pause || rate_ == 1) return;
      const Clock::time_point from = Clock::now();
      changed_.wait_for(lock, debt_);
      debt_ -= Clock::now() - from;
    }
  }

  static std::chrono::duration<double> due_rest(std::chrono::duration<double> worked, double rate) {
    return rate > 0 ? worked * (1 / rate - 1) : worked * 0;
  }

  std::atomic<bool> cancelled_{false};
  std::atomic<double> rate_{1};
  std::mutex mutex_;
  std::condition_variable changed_;        // the rate has changed, or it is cancelled
  std::chrono::duration<double> debt_{0};  // of rest
  Clock::time_point since_ = Clock::now();
};

}  // namespace rhizome::core
