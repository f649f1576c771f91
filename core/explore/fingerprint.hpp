// Fingerprints: 64-bit hashes, the same on every machine. States and events are compared by them;
// among a million states two different ones have the same fingerprint in about one of forty million
// searches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace rhizome::core {

using Fingerprint = std::uint64_t;

// A finaliser of splitmix64 over both, in that order.
[[nodiscard]] constexpr Fingerprint mixed(Fingerprint first, Fingerprint second) {
  Fingerprint bits = first * 0x9e3779b97f4a7c15U + second + 0x2545f4914f6cdd1dU;
  bits = (bits ^ (bits >> 30U)) * 0xbf58476d1ce4e5b9U;
  bits = (bits ^ (bits >> 27U)) * 0x94d049bb133111ebU;
  return bits ^ (bits >> 31U);
}

[[nodiscard]] inline Fingerprint fingerprint_of(std::span<const std::byte> bytes,
                                                Fingerprint first = 0) {
  Fingerprint print = mixed(first, bytes.size());
  while (!bytes.empty()) {
    Fingerprint word = 0;
    const std::size_t size = bytes.size() < 8 ? bytes.size() : 8;
    for (std::size_t i = 0; i < size; ++i)
      word |= std::to_integer<Fingerprint>(bytes[i]) << (8U * static_cast<unsigned>(i));
    print = mixed(print, word);
    bytes = bytes.subspan(size);
  }
  return print;
}
[[nodiscard]] inline Fingerprint fingerprint_of(std::string_view text, Fingerprint first = 0) {
  return fingerprint_of(std::as_bytes(std::span(text)), first);
}

}  // namespace rhizome::core
