#include "core/engine/aside.hpp"

#include "core/peer/tagged.hpp"

namespace rhizome::core::aside {

Bytes encode(const Message& message) { return encode_tagged(message); }

std::optional<Message> decode(std::span<const std::byte> bytes) {
  return decode_tagged<Message>(bytes, limits);
}

}  // namespace rhizome::core::aside
