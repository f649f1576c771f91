// Who of a run lives and who has finished, from whatever threads that is told.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "core/peer/time.hpp"

namespace rhizome::core {

class Census {
 public:
  // So many live from the start.
  explicit Census(std::uint32_t alive) : counts_(alive * one_alive) {}

  void died(bool had_finished) { counts_ -= one_alive + (had_finished ? one_finished : 0); }
  void revived() { counts_ += one_alive; }
  void finished() { counts_ += one_finished; }
  void resumed() { counts_ -= one_finished; }
  // The first who says so gives the others the grace of the run.
  void hurry(Time now) {
    std::int64_t none = nobody_yet;
    first_.compare_exchange_strong(none, now.time_since_epoch().count());
  }

  // Everybody who lives has, and somebody has.
  [[nodiscard]] bool all_finished() const {
    const std::uint64_t counts = counts_.load(std::memory_order_acquire);
    const auto finished = static_cast<std::uint32_t>(counts);
    return finished > 0 && finished == counts / one_alive;
  }
  [[nodiscard]] std::optional<Time> first_finish() const {
    const std::int64_t first = first_.load(std::memory_order_acquire);
    return first == nobody_yet ? std::nullopt : std::optional(Time(Duration(first)));
  }

 private:
  static constexpr std::uint64_t one_finished = 1;
  static constexpr std::uint64_t one_alive = std::uint64_t{1} << 32U;
  static constexpr std::int64_t nobody_yet = -1;

  std::atomic<std::uint64_t> counts_;  // both in one, so that they are always of one moment
  std::atomic<std::int64_t> first_{nobody_yet};
};

}  // namespace rhizome::core
