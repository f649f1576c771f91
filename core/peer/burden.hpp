// Burdens: what a peer has sent and received, by message type and cause.
#pragma once

#include <array>
#include <cstdint>

#include "core/peer/message.hpp"

namespace rhizome::core {

// Messages, bytes with headers, and pieces of work or results moved.
struct Burden {
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
  std::uint64_t units = 0;

  Burden& operator+=(const Burden& other) {
    messages += other.messages;
    bytes += other.bytes;
    units += other.units;
    return *this;
  }
  friend bool operator==(const Burden&, const Burden&) = default;
};

using BurdensByClass = std::array<Burden, message_classes>;

// One row: one message type of one service for one cause.
struct BurdenRow {
  std::uint8_t service = 0;
  std::uint8_t type = 0;
  MessageClass message_class = MessageClass::information;
  Cause cause = Cause::work;
  Burden sent;
  Burden received;
  friend bool operator==(const BurdenRow&, const BurdenRow&) = default;
};

}  // namespace rhizome::core
