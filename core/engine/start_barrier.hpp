// A start barrier counts the threads that have come to a gate of a run.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <limits>
#include <mutex>

namespace rhizome::core {

// One thread waits for a number of others. An arriving thread wakes it only if it is the last of
// them, and only then takes the lock, for which thousands would queue.
class StartBarrier {
 public:
  void arrive() {
    if (arrived_.fetch_add(1) + 1 < awaited_.load()) return;
    const std::scoped_lock lock(mutex_);
    changed_.notify_all();
  }
  void wait_for(std::uint32_t count) {
    std::unique_lock lock = await(count);
    changed_.wait(lock, [&] { return arrived_.load() >= count; });
  }
  // False when not all threads have come by the deadline.
  [[nodiscard]] bool wait_until(std::uint32_t count,
                                std::chrono::steady_clock::time_point deadline) {
    std::unique_lock lock = await(count);
    return changed_.wait_until(lock, deadline, [&] { return arrived_.load() >= count; });
  }

 private:
  // From now on the last thread either sees that it is the last, or has been counted before the
  // first look.
  std::unique_lock<std::mutex> await(std::uint32_t count) {
    awaited_ = count;
    return std::unique_lock(mutex_);
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::atomic<std::uint32_t> arrived_{0};
  std::atomic<std::uint32_t> awaited_{std::numeric_limits<std::uint32_t>::max()};
};

}  // namespace rhizome::core
