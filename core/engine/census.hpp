// Who of a run lives and who has finished, from whatever threads that is told.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "core/peer/time.hpp"

namespace rhizome::core {

// What a share tells of itself; a message of shares.
struct Tally {
  std::uint32_t alive = 0;
  std::uint32_t finished = 0;  // of those
  std::uint64_t wakings = 0;   // how often somebody began to live or was no longer finished
  std::optional<Time> first_finish{};
  std::uint32_t untaken = 0;  // faults that were handed out to peers that have not taken them yet

  [[nodiscard]] bool all_finished() const { return finished == alive && untaken == 0; }
  friend bool operator==(const Tally&, const Tally&) = default;
};

class Census {
 public:
  // So many live from the start.
  explicit Census(std::uint32_t alive) : counts_(alive * one_alive) {}

  void died(bool had_finished) { counts_ -= one_alive + (had_finished ? one_finished : 0); }
  void revived() {
    counts_ += one_alive;
    ++wakings_;
  }
  void finished() { counts_ += one_finished; }
  void resumed() {
    counts_ -= one_finished;
    ++wakings_;
  }
  // A fault is under way to its peer: until that has taken it, nobody knows who lives.
  void handed_out() { ++untaken_; }
  void taken() { --untaken_; }
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
  // Two tallies that say that everybody here has finished, and name the same wakings, say that all
  // the time between them nobody had not: whoever wakes does it in two steps and can finish again
  // only after both. Until the second step he is missing in the later counts; after it, there is a
  // waking more, because a tally is taken again if the wakings change while its counts are read.
  // A fault that is no longer under way is in the counts, because these are read after it.
  [[nodiscard]] Tally tally() const {
    for (std::uint64_t wakings = wakings_.load();;) {
      const std::uint32_t untaken = untaken_.load();
      const std::uint64_t counts = counts_.load();
      const std::uint64_t after = wakings_.load();
      if (wakings == after)
        return {static_cast<std::uint32_t>(counts / one_alive), static_cast<std::uint32_t>(counts),
                wakings, first_finish(), untaken};
      wakings = after;
    }
  }

 private:
  static constexpr std::uint64_t one_finished = 1;
  static constexpr std::uint64_t one_alive = std::uint64_t{1} << 32U;
  static constexpr std::int64_t nobody_yet = -1;

  std::atomic<std::uint64_t> counts_;  // both in one, so that they are always of one moment
  std::atomic<std::uint64_t> wakings_{0};
  std::atomic<std::uint32_t> untaken_{0};
  std::atomic<std::int64_t> first_{nobody_yet};
};

}  // namespace rhizome::core
