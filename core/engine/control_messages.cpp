#include "core/engine/control_messages.hpp"

#include <utility>

namespace rhizome::core::control {

namespace {

template <class... M>
std::optional<Message> decode_as(std::size_t tag, std::span<const std::byte> payload,
                                 const OneOf<M...>*) {
  std::optional<Message> message;
  const auto try_as = [&]<class T>(std::in_place_type_t<T>) {
    T said{};
    if (tag == position_of<T, Message> && core::decode(payload, said) == DecodeError::none)
      message = std::move(said);
  };
  (try_as(std::in_place_type<M>), ...);
  return message;
}

}  // namespace

Bytes encode(const Message& message) {
  Bytes bytes{static_cast<std::byte>(message.index())};
  std::visit([&bytes](const auto& said) { core::encode(said, bytes); }, message);
  return bytes;
}

std::optional<Message> decode(std::span<const std::byte> bytes) {
  if (bytes.empty()) return {};
  return decode_as(std::to_integer<std::size_t>(bytes[0]), bytes.subspan(1),
                   static_cast<const Message*>(nullptr));
}

}  // namespace rhizome::core::control
