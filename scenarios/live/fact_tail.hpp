// The tail of a run's facts: the last of them, for monitors that follow.
#pragma once

#include <cstdint>
#include <deque>
#include <utility>

#include "scenarios/live/frame.hpp"

namespace rhizome::scenarios::live {

class FactTail {
 public:
  // Keeps so many.
  explicit FactTail(std::size_t most) : most_(most) {}

  void add(LiveFact fact) {
    facts_.push_back(std::move(fact));
    if (facts_.size() <= most_) return;
    facts_.pop_front();
    ++first_;
  }
  // So many more that nobody gets: what came before them is not kept any more either.
  void pass_over(std::uint64_t facts) {
    if (facts == 0) return;
    first_ += facts_.size() + facts;
    facts_.clear();
  }
  // Those from that number on, so many at most; from 0, the last ones.
  [[nodiscard]] FactSlice slice(std::uint64_t from, std::uint32_t most) const;

 private:
  std::size_t most_;
  std::uint64_t first_ = 1;  // the number of the first that is kept
  std::deque<LiveFact> facts_;
};

}  // namespace rhizome::scenarios::live
