// The encoding of one of a closed set of structs: its position in the set in one byte, then its
// fields.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <variant>

#include "core/peer/codec.hpp"
#include "core/peer/message.hpp"

namespace rhizome::core {

template <class... M>
[[nodiscard]] Bytes encode_tagged(const OneOf<M...>& message) {
  Bytes bytes{static_cast<std::byte>(message.index())};
  std::visit([&bytes](const auto& said) { encode(said, bytes); }, message);
  return bytes;
}

namespace detail {
template <class... M>
[[nodiscard]] std::optional<OneOf<M...>> decode_tagged(std::span<const std::byte> bytes,
                                                       const CodecLimits& limits,
                                                       const OneOf<M...>*) {
  std::optional<OneOf<M...>> message;
  if (bytes.empty()) return message;
  const auto tag = std::to_integer<std::size_t>(bytes[0]);
  const auto try_as = [&]<class T>(std::in_place_type_t<T>) {
    if (tag != position_of<T, OneOf<M...>>) return;
    T said{};
    Tokens tokens;
    if (decode(bytes.subspan(1), said, tokens, limits) == DecodeError::none)
      message = std::move(said);
  };
  (try_as(std::in_place_type<M>), ...);
  return message;
}
}  // namespace detail

// Nothing for bytes that cannot be decoded.
template <class Set>
[[nodiscard]] std::optional<Set> decode_tagged(std::span<const std::byte> bytes,
                                               const CodecLimits& limits = codec_limits) {
  return detail::decode_tagged(bytes, limits, static_cast<const Set*>(nullptr));
}

}  // namespace rhizome::core
