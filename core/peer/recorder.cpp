#include "core/peer/recorder.hpp"

#include <numeric>

namespace rhizome::core {

void Recorder::sent(Time now, const PacketHeader& header, std::size_t bytes) {
  ++sent_;
  burdens_.sent(header, bytes);
  samples_.sent(now, header.message_class);
}

std::uint64_t Recorder::dropped_count() const {
  return std::accumulate(drops_.begin(), drops_.end(), std::uint64_t{0});
}

}  // namespace rhizome::core
