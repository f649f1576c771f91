// When to repeat a message that no peer has answered. The wait follows how long answers took, and
// doubles each time that no answer comes, so that repetitions do not fill a slow line (RFC 6298,
// sections 2 and 5). An answer to a repeated message is not measured (Karn and Partridge 1987).
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/peer/time.hpp"

namespace rhizome::agents {

// For messages that share one timer: whether a message is repeated in that round, counted from 1.
// The gaps double up to eight rounds.
[[nodiscard]] constexpr bool repeats_in_round(std::uint32_t round) {
  constexpr std::uint32_t widest = 8;
  return round < widest ? (round & (round - 1)) == 0 : round % widest == 0;
}

class Backoff {
 public:
  // The wait is never shorter than `least`, which is also the first wait on a network on which all
  // answers come sooner. The wait doubles at most `most_doublings` times.
  explicit Backoff(core::Duration least, std::uint32_t most_doublings = 16)
      : least_(least), most_doublings_(most_doublings) {}

  // The wait until the next sending, after so many repetitions.
  [[nodiscard]] core::Duration wait(std::uint32_t repetitions) const {
    const std::uint32_t doublings = std::min(repetitions, most_doublings_);
    const core::Duration first = std::max(least_, mean_ + 4 * deviation_);
    return first > longest / (std::int64_t{1} << doublings)
               ? longest
               : first * (std::int64_t{1} << doublings);
  }
  // An answer has come after that time to a message that was sent once.
  void answered(core::Duration after) {
    after = std::min(after, longest);
    if (mean_ == core::Duration::zero()) {
      mean_ = after;
      deviation_ = after / 2;
      return;
    }
    const core::Duration off = mean_ > after ? mean_ - after : after - mean_;
    deviation_ += (off - deviation_) / 4;
    mean_ += (after - mean_) / 8;
  }

 private:
  static constexpr core::Duration longest = std::chrono::hours(10'000);

  core::Duration least_;
  std::uint32_t most_doublings_;
  core::Duration mean_{0};       // of the times that answers took, smoothed
  core::Duration deviation_{0};  // from the mean, smoothed
};

}  // namespace rhizome::agents
