// The walks of probes and queries: how far one has come, and which have come by here lately. A
// packet that arrives twice must not go on as two walks, for these would multiply with every hop.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>

#include "agents/sparrow/messages.hpp"
#include "agents/sparrow/options.hpp"
#include "core/peer/flat.hpp"
#include "core/peer/time.hpp"

namespace rhizome::agents::sparrow {

// One arrival of a walk, identified by its origin, its subject, its step and the peer that it comes
// from. The subject is the first key of the order, which then is mostly the order of arrival.
struct Visit {
  std::uint64_t subject;  // the task, or the sampling: a run has probes or queries, never both
  std::uint64_t step;
  PeerId master;
  PeerId from;
  friend auto operator<=>(const Visit&, const Visit&) = default;
};

class Walks {
 public:
  // The copies of a packet are at most the longest delay of the network apart.
  Walks(const Options& options, core::Duration longest_delay)
      : limit_(options.hop_limit), memory_(options.probe_timeout + longest_delay) {}

  // Where the walk of this number begins, of those for the same subject.
  [[nodiscard]] Step first(std::uint64_t number) const { return {number * (limit_ + 1)}; }
  [[nodiscard]] std::uint64_t number(Step step) const { return step.value / (limit_ + 1); }
  [[nodiscard]] std::uint64_t hops(Step step) const { return step.value % (limit_ + 1); }
  // Every walk is bounded.
  [[nodiscard]] bool may_go_on(Step step) const { return hops(step) < limit_; }
  // Whether half of its bound is used.
  [[nodiscard]] bool is_far(Step step) const { return 2 * hops(step) >= limit_; }

  // Remembers a visit for a while; false if it is remembered already.
  [[nodiscard]] bool is_new(const Visit& visit, core::Time now);

 private:
  bool remember(const Visit& visit);  // false when it is known
  void forget_oldest();

  static constexpr std::size_t most = 1024;  // remembered, however many come

  std::uint64_t limit_;
  core::Duration memory_;
  core::FlatQueueSet<Visit> visits_;
  std::deque<std::pair<core::Time, Visit>> by_time_;
};

}  // namespace rhizome::agents::sparrow
