#include "agents/sparrow/walks.hpp"

namespace rhizome::agents::sparrow {

bool Walks::is_new(const Visit& visit, core::Time now) {
  while (!by_time_.empty() && by_time_.front().first < now - memory_) forget_oldest();
  if (!visits_.insert(visit).second) return false;
  by_time_.emplace_back(now, visit);
  if (by_time_.size() > most) forget_oldest();
  return true;
}

void Walks::forget_oldest() {
  visits_.erase(by_time_.front().second);
  by_time_.pop_front();
}

}  // namespace rhizome::agents::sparrow
