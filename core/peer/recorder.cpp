#include "core/peer/recorder.hpp"

#include <numeric>

namespace rhizome::core {

void Recorder::sent(Time now, const PacketHeader& header, std::size_t bytes) {
  ++sent_;
  burdens_.sent(header, bytes);
  if (options_.period <= Duration::zero()) return;
  const auto slot = static_cast<std::size_t>(now.time_since_epoch() / options_.period);
  if (slot >= samples_.size()) samples_.resize(slot + 1);
  ++samples_[slot].messages[static_cast<std::size_t>(header.message_class)];
}

std::uint64_t Recorder::dropped_count() const {
  return std::accumulate(drops_.begin(), drops_.end(), std::uint64_t{0});
}

}  // namespace rhizome::core
