// The window of a node: how many tasks it prefetches for itself, as in TCP's sliding window
// (Chakravarti et al.): a batch faster than the running mean widens it by one, a slower one narrows
// it. It restarts after an idle time (RFC 5681, section 4.1).
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/peer/time.hpp"

namespace rhizome::agents::grid {

class Window {
 public:
  Window(std::uint32_t batch, std::uint32_t most) : size_of_batch_(batch), most_(most) {}

  [[nodiscard]] std::uint32_t tasks() const { return tasks_; }
  // Whether prefetching is off, because prefetched tasks waited here while other hands were idle.
  // Prefetching is off until a batch is done.
  [[nodiscard]] bool closed() const { return closed_; }
  void close() { closed_ = true; }
  // Whether only one task for each hand is fetched, because tasks that come after a time without
  // work are scarce, and others wait for them. It is so until a batch is done.
  [[nodiscard]] bool restarted() const { return restarted_; }
  // Called every heartbeat, with whether this peer is idle. The window restarts after two idle
  // heartbeats without a task in between.
  void tick(bool starves) {
    if (starves && starved_) restarted_ = true;
    starved_ = starves;
  }
  void begin(core::Time now) { began_ = now; }
  // A task was executed here.
  void count(core::Time now) {
    starved_ = false;
    if (++counted_ < size_of_batch_) return;
    constexpr double same = 0.01;  // within this share, neither faster nor slower
    const double pace = core::seconds(now - began_) / counted_;
    if (mean_ > 0 && pace < mean_ * (1 - same)) tasks_ = std::min(tasks_ + 1, most_);
    if (mean_ > 0 && pace > mean_ * (1 + same)) tasks_ = std::max(tasks_ - 1, 1U);
    mean_ = mean_ > 0 ? (mean_ + pace) / 2 : pace;
    counted_ = 0;
    closed_ = false;
    restarted_ = false;
    began_ = now;
  }

 private:
  std::uint32_t size_of_batch_;
  std::uint32_t most_;
  std::uint32_t tasks_ = 1;
  std::uint32_t counted_ = 0;
  bool closed_ = false;
  bool restarted_ = false;
  bool starved_ = false;  // at the last heartbeat
  core::Time began_{};
  double mean_ = 0;  // seconds a task
};

}  // namespace rhizome::agents::grid
