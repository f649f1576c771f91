#include "core/peer/access.hpp"

#include <algorithm>

#include "core/peer/time.hpp"

namespace rhizome::core {

Time Channel::pass(Time arrival, std::size_t bytes) {
  ++usage_.packets;
  if (rate_.bits_per_second == 0) return arrival;
  const Time begin = std::max(arrival, free_);
  const Duration taken = time_for(bytes, rate_);
  add_up(usage_.busy, taken);
  add_up(usage_.waited, begin - arrival);
  usage_.longest = std::max(usage_.longest, begin - arrival);
  return free_ = begin + taken;
}

void Channel::cut(Time now) {
  usage_ = usage(now);
  free_ = std::min(free_, now);
}

ChannelUsage Channel::usage(Time until) const {
  ChannelUsage usage = usage_;
  usage.busy -= std::max(Duration::zero(), free_ - until);
  return usage;
}

void AccessLine::crash(Time now, Incarnation life) {
  up_.cut(now);
  down_.cut(now);
  first_unharmed_ = life.value + 1;
}

}  // namespace rhizome::core
