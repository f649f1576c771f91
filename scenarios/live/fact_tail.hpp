// The tail of a run's facts: the latest facts, for monitors that follow the run.
#pragma once

#include <cstdint>
#include <deque>
#include <utility>

#include "scenarios/live/frame.hpp"

namespace rhizome::scenarios::live {

class FactTail {
 public:
  // Keeps at most `most` facts.
  explicit FactTail(std::size_t most) : most_(most) {}

  void add(LiveFact fact) {
    facts_.push_back(std::move(fact));
    if (facts_.size() <= most_) return;
    facts_.pop_front();
    ++first_;
  }
  // Counts so many facts that are not kept. All earlier facts are dropped as well.
  void pass_over(std::uint64_t facts) {
    if (facts == 0) return;
    first_ += facts_.size() + facts;
    facts_.clear();
  }
  // The facts from number `from` on, at most `most`. From 0: the latest ones.
  [[nodiscard]] FactSlice slice(std::uint64_t from, std::uint32_t most) const;

 private:
  std::size_t most_;
  std::uint64_t first_ = 1;  // the number of the first that is kept
  std::deque<LiveFact> facts_;
};

}  // namespace rhizome::scenarios::live
