// Records: packets and news of lives, as they stand one behind the other in the batches of a link.
//
//   packet   kind 0, 44 bytes of its header, length of the payload (4 bytes), payload
//   life     kind 1, peer (4 bytes), life (4 bytes)
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <variant>

#include "core/peer/codec.hpp"
#include "core/peer/packet.hpp"

namespace rhizome::core {

// A life of a peer has begun.
struct NewLife {
  PeerId peer;
  Incarnation life;
  friend bool operator==(const NewLife&, const NewLife&) = default;
};

// The payload of a packet refers to the bytes that it was decoded from.
using Record = std::variant<Packet, NewLife>;

// The longest payload that crosses: no peer reads a longer one.
inline constexpr std::size_t longest_payload = codec_limits.bytes;

// Append one to `out`. The payload is no longer than the longest.
void put_record(Bytes& out, const PacketHeader& header, std::span<const std::byte> payload);
void put_record(Bytes& out, const NewLife& news);

// Takes a record off the front of `from`; nothing for bytes that are no record.
[[nodiscard]] std::optional<Record> take_record(std::span<const std::byte>& from);

}  // namespace rhizome::core
