// A packet: one encoded message on its way from a peer to a peer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/peer/ids.hpp"
#include "core/peer/message.hpp"
#include "core/peer/time.hpp"

namespace rhizome::core {

// The part of a packet that engines and links may read. Twelve bytes of it are stamped on the way.
struct PacketHeader {
  PeerId from{};
  PeerId to{};
  Incarnation to_incarnation{};  // stamped at the send: which life of `to` it is for
  std::uint8_t service = 0;      // position of the protocol in its peer
  std::uint8_t type = 0;         // position of the message in its protocol
  MessageClass message_class = MessageClass::information;
  Cause cause = Cause::work;
  std::uint32_t units = 1;           // pieces of work or results that it moves
  std::uint64_t declared_bytes = 0;  // bytes that it stands for beyond its payload
  Time sent{};
  Time due{};  // stamped by the link: not delivered before
};

// The size that a header counts for in every burden, in bytes.
inline constexpr std::size_t header_bytes = 40;

// A view: the maker of the packet owns the payload.
struct Packet {
  PacketHeader header;
  std::span<const std::byte> payload;
  [[nodiscard]] std::size_t bytes() const { return header_bytes + payload.size(); }
};

// Why a packet was not handled.
enum class Drop : std::uint8_t {
  lost,         // by the link, or with the crash of its sender before it had left
  partitioned,  // by the link
  unreachable,  // no such peer
  down,         // its destination had crashed
  stale,        // meant for a former life of its destination
  malformed,    // refused by the codec, in four ways
  truncated,
  oversized,
  mismatched,
  unknown,      // its destination lacks the service or type
  implausible,  // its destination does not believe its content
  congested,    // too many packets wait already for the process that runs its destination
  machine,      // the process that runs its destination is lost
  last = machine
};

inline constexpr std::size_t drops = static_cast<std::size_t>(Drop::last) + 1;

[[nodiscard]] std::string_view name_of(Drop);

}  // namespace rhizome::core
