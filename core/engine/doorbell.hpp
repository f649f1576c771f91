// A doorbell: how one sleeping thread learns that an item was put down for it. ZeroMQ would wake a
// reader through a descriptor, at seven system calls a message; this takes two, and sleeps to the
// nanosecond instead of the millisecond.
#pragma once

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>

namespace rhizome::core {

// Counts the items that were put down and not yet taken. Many threads put, one takes and sleeps.
class Doorbell {
 public:
  // To be called once the item is ready to be taken.
  void put() {
    put_.fetch_add(1);
    // Either the sleeper sees the count, or this sees the sleeper: both orders are sequential.
    if (asleep_.load() != 0 && asleep_.exchange(0) != 0) wake();
  }
  // To be called once for each item, when waiting() says that there is one.
  void take() { ++taken_; }

  [[nodiscard]] std::uint64_t waiting() const { return put_.load() - taken_; }

  // Sleeps until an item waits, at most for `limit` (for ever without one); may end early.
  void sleep(std::optional<std::chrono::nanoseconds> limit) {
    sched_yield();  // once: under load another thread puts meanwhile, and both calls are spared
    if (waiting() > 0) return;
    asleep_.store(1);
    if (waiting() == 0) wait(limit);
    asleep_.store(0);
  }

 private:
  void wake() { syscall(SYS_futex, &asleep_, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0); }

  void wait(std::optional<std::chrono::nanoseconds> limit) {
    timespec rest{};
    if (limit) {
      const auto whole = std::chrono::floor<std::chrono::seconds>(*limit);
      rest = {.tv_sec = whole.count(), .tv_nsec = (*limit - whole).count()};
    }
    syscall(SYS_futex, &asleep_, FUTEX_WAIT_PRIVATE, 1, limit ? &rest : nullptr, nullptr, 0);
  }

  static_assert(std::atomic<std::uint32_t>::is_always_lock_free);
  std::atomic<std::uint32_t> asleep_{0};
  std::atomic<std::uint64_t> put_{0};
  std::uint64_t taken_ = 0;
};

}  // namespace rhizome::core
