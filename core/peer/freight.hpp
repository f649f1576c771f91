// Freight: bytes that something in a message stands for, and that no message ever holds. They are
// counted in every burden and delayed by access lines like those of ballast; but what ballast says
// of each class of message at once, freight says of each thing in it.
#pragma once

#include <cstdint>
#include <type_traits>

#include "core/peer/fields.hpp"

namespace rhizome::core {

struct Freight {
  std::uint64_t bytes = 0;
  friend bool operator==(const Freight&, const Freight&) = default;
};

// The freight of all that a message holds, in bytes.
template <class T>
[[nodiscard]] std::uint64_t freight_of(const T& said) {
  std::uint64_t bytes = 0;
  if constexpr (std::is_same_v<T, Freight>) {
    bytes = said.bytes;
  } else if constexpr (requires { said.begin(); }) {
    if constexpr (std::is_class_v<typename T::value_type>)
      for (const auto& item : said) bytes += freight_of(item);
  } else if constexpr (requires { said.has_value(); }) {
    if (said.has_value()) bytes = freight_of(*said);
  } else if constexpr (std::is_aggregate_v<T>) {
    with_fields(said, [&bytes](const auto&... field) { ((bytes += freight_of(field)), ...); });
  }
  return bytes;
}

}  // namespace rhizome::core
