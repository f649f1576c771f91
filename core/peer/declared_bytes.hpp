// DeclaredBytes: the size of data that a message refers to without containing them. They are
// counted in every burden and delayed by access lines like those of simulated payload; but
// simulated payload is one size for each class of message, and declared bytes are a size of each
// item in a message.
#pragma once

#include <cstdint>
#include <type_traits>

#include "core/peer/fields.hpp"

namespace rhizome::core {

struct DeclaredBytes {
  std::uint64_t bytes = 0;
  friend bool operator==(const DeclaredBytes&, const DeclaredBytes&) = default;
};

// The declared bytes of all that a message holds, in bytes.
template <class T>
[[nodiscard]] std::uint64_t declared_bytes_of(const T& said) {
  std::uint64_t bytes = 0;
  if constexpr (std::is_same_v<T, DeclaredBytes>) {
    bytes = said.bytes;
  } else if constexpr (requires { said.begin(); }) {
    if constexpr (std::is_class_v<typename T::value_type>)
      for (const auto& item : said) bytes += declared_bytes_of(item);
  } else if constexpr (requires { said.has_value(); }) {
    if (said.has_value()) bytes = declared_bytes_of(*said);
  } else if constexpr (std::is_aggregate_v<T>) {
    with_fields(said,
                [&bytes](const auto&... field) { ((bytes += declared_bytes_of(field)), ...); });
  }
  return bytes;
}

}  // namespace rhizome::core
