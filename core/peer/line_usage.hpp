// The traffic that has passed a peer's access line.
#pragma once

#include <cstdint>

#include "core/peer/time.hpp"

namespace rhizome::core {

// One direction. A packet waits for those before it.
struct ChannelUsage {
  std::uint64_t packets = 0;
  Duration busy{0};
  Duration waited{0};   // by all packets together
  Duration longest{0};  // wait of a single one
  friend bool operator==(const ChannelUsage&, const ChannelUsage&) = default;
};

struct LineUsage {
  ChannelUsage up;
  ChannelUsage down;
  friend bool operator==(const LineUsage&, const LineUsage&) = default;
};

}  // namespace rhizome::core
