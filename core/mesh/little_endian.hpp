// Encodes integers for links: little-endian, whatever the machines at both ends use.
#pragma once

#include <concepts>
#include <cstddef>
#include <span>

#include "core/peer/codec.hpp"

namespace rhizome::core {

template <std::unsigned_integral T>
void put_number(Bytes& out, T value) {
  for (std::size_t i = 0; i < sizeof(T); ++i)
    out.push_back(static_cast<std::byte>(value >> (8 * i)));
}

// Takes a number off the front of `from`; false if there are too few bytes.
template <std::unsigned_integral T>
[[nodiscard]] bool take_number(std::span<const std::byte>& from, T& value) {
  if (from.size() < sizeof(T)) return false;
  value = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i)
    value = static_cast<T>(value | static_cast<T>(std::to_integer<T>(from[i]) << (8 * i)));
  from = from.subspan(sizeof(T));
  return true;
}

}  // namespace rhizome::core
