// SimulatedPayload: the data that tasks and results take along. It is counted in every burden and
// delayed by access lines, but no byte of it is ever made or copied: it is the packet's class and
// units, which every message states, that say how much of it a packet carries.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/peer/packet.hpp"

namespace rhizome::core {

// Bytes beyond the encoded message.
struct SimulatedPayload {
  std::uint64_t task = 0;
  std::uint64_t result = 0;

  [[nodiscard]] std::size_t of(const PacketHeader& header) const {
    switch (header.message_class) {
      case MessageClass::job:
        return task * header.units;
      case MessageClass::result:
        return result * header.units;
      case MessageClass::information:
        break;
    }
    return 0;
  }
  // All that counts: header, encoded message, simulated payload and declared bytes.
  [[nodiscard]] std::size_t weigh(const Packet& packet) const {
    return packet.bytes() + of(packet.header) + packet.header.declared_bytes;
  }
};

}  // namespace rhizome::core
