// The hand on a computation: how fast it may go on, and whether it is still wanted.
#pragma once

#include <atomic>
#include <chrono>
#include <thread>

namespace rhizome::core {

class Throttle {
 public:
  // 1: all the time; 0: it is suspended; between them: that share of the time.
  void pace(double rate) {
    rate_ = rate;
    rate_.notify_all();
  }
  // It is to end soon.
  void cancel() {
    cancelled_ = true;
    pace(1);
  }
  [[nodiscard]] bool cancelled() const { return cancelled_; }
  [[nodiscard]] double rate() const { return rate_; }

  // Called where the computation begins: what was before does not count.
  void begin() { since_ = Clock::now(); }
  // Called by the computation between steps: waits for as long as it has to, and says whether it is
  // to go on.
  [[nodiscard]] bool go_on() {
    constexpr std::chrono::milliseconds slice{20};
    debt_ += due_rest(Clock::now() - since_, rate_);
    while (rate_ == 0 && !cancelled_) rate_.wait(0);
    for (; !cancelled_ && debt_ >= slice && rate_ < 1; debt_ -= slice)
      std::this_thread::sleep_for(slice);
    since_ = Clock::now();
    return !cancelled_;
  }

 private:
  using Clock = std::chrono::steady_clock;

  static std::chrono::duration<double> due_rest(std::chrono::duration<double> worked, double rate) {
    return rate > 0 ? worked * (1 / rate - 1) : worked * 0;
  }

  std::atomic<bool> cancelled_{false};
  std::atomic<double> rate_{1};
  std::chrono::duration<double> debt_{0};  // of rest
  Clock::time_point since_ = Clock::now();
};

}  // namespace rhizome::core
