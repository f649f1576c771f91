#include "core/peer/recorder.hpp"

#include <algorithm>
#include <type_traits>

namespace rhizome::core {

static_assert(std::is_nothrow_move_constructible_v<Recorder>,
              "a report grows by recorders, which are not to be copied for that");

void Recorder::sent(Time now, const PacketHeader& header, std::size_t bytes) {
  const auto message_class = static_cast<std::size_t>(header.message_class);
  vitals_.sent[message_class].add(1);
  vitals_.sent_bytes[message_class].add(bytes);
  burdens_.sent(header, bytes);
  samples_.sent(now, header.message_class);
}

DropCounts Recorder::drop_counts() const {
  DropCounts counts{};
  std::transform(vitals_.dropped.begin(), vitals_.dropped.end(), counts.begin(),
                 [](const Count& count) { return count.get(); });
  return counts;
}

}  // namespace rhizome::core
