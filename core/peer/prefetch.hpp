// Asks for memory before it is needed: a hint, which changes nothing but the time that it takes.
#pragma once

#include <cstddef>

namespace rhizome::core {

inline void prefetch(const void* begin, std::size_t bytes) {
  constexpr std::size_t line = 64;
  for (std::size_t offset = 0; offset < bytes; offset += line)
    __builtin_prefetch(static_cast<const std::byte*>(begin) + offset);
}

}  // namespace rhizome::core
