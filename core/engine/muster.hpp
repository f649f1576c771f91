// A muster counts threads at a gate of a run.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace rhizome::core {

class Muster {
 public:
  void arrive() {
    const std::scoped_lock lock(mutex_);
    ++arrived_;
    changed_.notify_all();
  }
  void wait_for(std::uint32_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return arrived_ >= count; });
  }
  // False when they have not all come by then.
  [[nodiscard]] bool wait_until(std::uint32_t count,
                                std::chrono::steady_clock::time_point deadline) {
    std::unique_lock lock(mutex_);
    return changed_.wait_until(lock, deadline, [&] { return arrived_ >= count; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint32_t arrived_ = 0;
};

}  // namespace rhizome::core
