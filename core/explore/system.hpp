// The interface of a system that a search explores: the search chooses each next event.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/peer/interface.hpp"

namespace rhizome::core {

// Fingerprints: 64-bit hashes, the same on every machine. States and events are compared by them;
// among a million states two different ones have the same fingerprint in about one of forty million
// searches.

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

// Something that may happen next.
struct Choice {
  Fingerprint key =
      0;  // its name: the same in every state in which it may happen, and no other choice's
  // A bit for each thing that it reads or changes. Where two choices have no bit in common, neither
  // keeps the other from happening, and both orders lead to the same state.
  std::uint64_t touches = 0;
  bool rare = false;  // not in the usual course of things, such as a fault

  [[nodiscard]] bool commutes_with(const Choice& other) const {
    return (touches & other.touches) == 0;
  }
  friend bool operator==(const Choice&, const Choice&) = default;
};

// The name of a rule that was broken, and a message about it.
struct Broken {
  std::string rule{};
  std::string told{};
  explicit operator bool() const { return !rule.empty(); }
};

// Deterministic: the same choices from the beginning lead to the same state. It cannot be copied; a
// caller that wants to go back begins again.
class System : public Interface {
 public:
  virtual void begin() = 0;
  // What may happen now, in the order in which it would happen without a choice; rare choices are
  // at the end. Empty where the history is over.
  [[nodiscard]] virtual std::vector<Choice> choices() = 0;
  // Takes one of choices().
  virtual void take(const Choice& choice) = 0;
  // A fingerprint of the state: what may happen from here on depends on nothing else.
  [[nodiscard]] virtual Fingerprint state() = 0;
  // The rule that the state breaks, if any.
  [[nodiscard]] virtual Broken flaw() { return {}; }
  // The rule that the whole history breaks, if any. The history is over, or will not be followed
  // any further. Only a new beginning may follow.
  [[nodiscard]] virtual Broken verdict(bool over) = 0;
};

}  // namespace rhizome::core
