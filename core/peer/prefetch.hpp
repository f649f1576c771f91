// Asks for memory before it is needed: a hint, which changes nothing but the time that it takes.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rhizome::core {

// Every line that holds one of these bytes, the last one too.
inline void prefetch(const void* begin, std::size_t bytes) {
  constexpr std::size_t line = 64;
  const auto* first = static_cast<const std::byte*>(begin);
  const std::size_t before = reinterpret_cast<std::uintptr_t>(begin) % line;
  for (std::size_t offset = 0; offset < before + bytes; offset += line)
    __builtin_prefetch(first - before + offset);
}

}  // namespace rhizome::core
