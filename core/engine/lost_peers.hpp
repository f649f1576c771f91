// Peers that were lost in a run with the process that ran them, and their books with them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/peer/ids.hpp"
#include "core/peer/time.hpp"

namespace rhizome::core {

struct LostPeers {
  std::vector<PeerId> peers;  // ascending
  std::string why;            // "process 1 on h1 is lost: its connection broke"
  Time last_heard{};          // the last message of these peers
  Time noticed{};
  // Packets: what the others had put for them on the way, and had got from them.
  std::uint64_t handed_over = 0;
  std::uint64_t received = 0;
  friend bool operator==(const LostPeers&, const LostPeers&) = default;
};

}  // namespace rhizome::core
