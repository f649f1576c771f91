#include "core/engine/control_messages.hpp"

#include "core/peer/tagged.hpp"

namespace rhizome::core::control {

Bytes encode(const Message& message) { return encode_tagged(message); }

std::optional<Message> decode(std::span<const std::byte> bytes) {
  return decode_tagged<Message>(bytes, limits);
}

}  // namespace rhizome::core::control
