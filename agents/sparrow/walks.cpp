#include "agents/sparrow/walks.hpp"

namespace rhizome::agents::sparrow {

bool Walks::is_new(const Visit& visit, core::Time now) {
  while (!by_time_.empty() && by_time_.front().first < now - memory_) forget_oldest();
  if (!remember(visit)) return false;
  by_time_.emplace_back(now, visit);
  if (by_time_.size() > most) forget_oldest();
  return true;
}

// The latest visit is mostly the last in the order of the set, so it is tried at the end first.
bool Walks::remember(const Visit& visit) {
  const std::size_t before = visits_.size();
  visits_.insert(visits_.end(), visit);
  return visits_.size() > before;
}

// The oldest visit is mostly the first in the order of the set, so it is tried at the beginning
// first.
void Walks::forget_oldest() {
  const Visit& oldest = by_time_.front().second;
  visits_.erase(*visits_.begin() == oldest ? visits_.begin() : visits_.find(oldest));
  by_time_.pop_front();
}

}  // namespace rhizome::agents::sparrow
