// How many peers of a run live and how many have finished, as told from any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "core/peer/time.hpp"

namespace rhizome::core {

// What a share reports of itself; part of the messages between shares.
struct Tally {
  std::uint32_t alive = 0;
  std::uint32_t finished = 0;  // of the living peers
  std::uint64_t wakings = 0;   // how often a peer began to live or was no longer finished
  std::optional<Time> first_finish{};
  std::uint32_t untaken = 0;  // faults handed out to peers that have not taken them yet

  [[nodiscard]] bool all_finished() const { return finished == alive && untaken == 0; }
  friend bool operator==(const Tally&, const Tally&) = default;
};

class Census {
 public:
  // So many peers live from the start.
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
  // A fault is under way to its peer: until the peer has taken it, it is not known which peers
  // live.
  void handed_out() { ++untaken_; }
  void taken() { --untaken_; }
  // The first call sets the time from which the other peers have the grace of the run.
  void hurry(Time now) {
    std::int64_t none = none_yet;
    first_.compare_exchange_strong(none, now.time_since_epoch().count());
  }

  // All living peers have finished, and at least one has.
  [[nodiscard]] bool all_finished() const {
    const std::uint64_t counts = counts_.load(std::memory_order_acquire);
    const auto finished = static_cast<std::uint32_t>(counts);
    return finished > 0 && finished == counts / one_alive;
  }
  [[nodiscard]] std::optional<Time> first_finish() const {
    const std::int64_t first = first_.load(std::memory_order_acquire);
    return first == none_yet ? std::nullopt : std::optional(Time(Duration(first)));
  }
  // Two tallies that both say that all peers here have finished, and name the same wakings, prove
  // that no peer was unfinished between them. A peer wakes in two steps, and can finish again only
  // after both. Until the second step it is missing in the later counts; after it, there is one
  // waking more, because a tally is taken again if the wakings change while its counts are read. A
  // fault that is no longer under way is in the counts, because these are read after it.
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
  static constexpr std::int64_t none_yet = -1;

  std::atomic<std::uint64_t> counts_;  // living and finished peers in one number, so that both are
                                       // consistent
  std::atomic<std::uint64_t> wakings_{0};
  std::atomic<std::uint32_t> untaken_{0};
  std::atomic<std::int64_t> first_{none_yet};
};

}  // namespace rhizome::core
