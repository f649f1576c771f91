#include "core/peer/access.hpp"

#include <algorithm>

namespace rhizome::core {

Time Channel::pass(Time arrival, std::size_t bytes) {
  ++usage_.packets;
  if (rate_.bits_per_second == 0) return arrival;
  const Time begin = std::max(arrival, free_);
  const Duration taken = time_for(bytes, rate_);
  usage_.busy += taken;
  usage_.waited += begin - arrival;
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

void AccessLine::note_usage(Recorder& recorder, Time ended) const {
  const auto note = [&](const ChannelUsage& usage, std::string_view used, std::string_view waited) {
    recorder.note(ended, {used, usage.packets, nobody, seconds(usage.busy)});
    const auto longest = static_cast<std::uint64_t>(usage.longest.count());
    recorder.note(ended, {waited, longest, nobody, seconds(usage.waited)});
  };
  note(up_.usage(ended), uplink_used, uplink_waited);
  note(down_.usage(ended), downlink_used, downlink_waited);
}

}  // namespace rhizome::core
