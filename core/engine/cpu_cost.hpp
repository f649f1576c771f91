// The CPU cost of virtual time: when an event is handled, where handling costs something.
#pragma once

#include <algorithm>
#include <functional>
#include <queue>
#include <vector>

#include "core/engine/engine.hpp"

namespace rhizome::core {

// First come, first served: at each peer, and at the cores that peers share.
class CpuCost {
 public:
  CpuCost(const CostModel& model, std::uint32_t peers)
      : model_(model), busy_until_(model.free() ? 0 : peers) {
    if (model.free()) return;
    for (std::uint32_t core = 0; core < model.cores; ++core) cores_.push(Time{});
  }

  [[nodiscard]] bool free() const { return model_.free(); }

  // When an event due at `due` for this peer is done. Call in the order in which events are due.
  Time pay(PeerId peer, Time due) {
    Time& busy_until = busy_until_[peer.value];
    const Time awake = busy_until > due ? busy_until : due + model_.wake_up;
    Time begin = awake;
    if (!cores_.empty()) {
      begin = std::max(awake, cores_.top());
      cores_.pop();
      cores_.push(begin + model_.handling);
    }
    return busy_until = begin + model_.handling;
  }

 private:
  CostModel model_;
  std::vector<Time> busy_until_;                                        // by peer
  std::priority_queue<Time, std::vector<Time>, std::greater<>> cores_;  // when each is free
};

}  // namespace rhizome::core
