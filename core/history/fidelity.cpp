#include "core/history/fidelity.hpp"

#include <algorithm>

namespace rhizome::core {

void Fidelity::merge(const Fidelity& other) {
  packet_lag.merge(other.packet_lag);
  crossing_lag.merge(other.crossing_lag);
  timer_lag.merge(other.timer_lag);
  work_lag.merge(other.work_lag);
  handler_time.merge(other.handler_time);
  inbox_depth.merge(other.inbox_depth);
  stalls.insert(stalls.end(), other.stalls.begin(), other.stalls.end());
}

void Fidelity::stalled(const Stall& stall) {
  Stall whole = stall;
  while (!stalls.empty() && stalls.back().peer == whole.peer && stalls.back().until >= whole.from) {
    whole.from = std::min(whole.from, stalls.back().from);
    stalls.pop_back();
  }
  stalls.push_back(whole);
}

}  // namespace rhizome::core
