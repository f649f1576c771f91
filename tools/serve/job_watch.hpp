// Requests that wait until a job changes: the long polls of a server of jobs.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace rhizome::tools {

// All functions may be called from any thread.
class JobWatch {
 public:
  using Clock = std::chrono::steady_clock;

  // A waiting request. It leaves the watch when destroyed; the watch must outlive it.
  class Waiter {
   public:
    Waiter(JobWatch& watch, std::uint64_t job) : watch_(watch), job_(job) {}
    ~Waiter();
    Waiter(const Waiter&) = delete;
    Waiter& operator=(const Waiter&) = delete;

    // True once the job has changed since this waiter entered, or since the last call returned
    // true. False at `until`, and once the watch has ended.
    [[nodiscard]] bool wait(Clock::time_point until);

   private:
    friend JobWatch;
    JobWatch& watch_;
    const std::uint64_t job_;
    bool changed_ = false;  // guarded by the mutex of the watch
    std::condition_variable rung_;
  };

  // None if `most` requests wait already.
  [[nodiscard]] std::unique_ptr<Waiter> enter(std::uint64_t job, std::size_t most);
  // Wakes all that wait for this job. Must be called once the change can be read.
  void changed(std::uint64_t job);
  // Wakes all that wait, and from now on no waiter waits.
  void end();

 private:
  std::mutex mutex_;
  std::vector<Waiter*> waiters_;
  bool ended_ = false;
};

}  // namespace rhizome::tools
