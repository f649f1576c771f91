// The interface of a system that a search explores: the search chooses each next event.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/explore/fingerprint.hpp"

namespace rhizome::core {

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
class System {
 public:
  System() = default;
  System(const System&) = delete;
  System& operator=(const System&) = delete;
  virtual ~System() = default;

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
