// A system whose next event is somebody's choice: what a search needs to know of whatever it
// searches.
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
      0;  // its name: the same in every state in which it may happen, and nobody else's
  // A bit for each thing that it reads or changes. Where two choices have none in common, neither
  // keeps the other from happening, and both orders lead to the same state.
  std::uint64_t touches = 0;
  bool rare = false;  // not in the usual course of things, such as a fault

  [[nodiscard]] bool commutes_with(const Choice& other) const {
    return (touches & other.touches) == 0;
  }
  friend bool operator==(const Choice&, const Choice&) = default;
};

// A rule that was broken, by its name, and what is to be told of it.
struct Broken {
  std::string rule{};
  std::string told{};
  explicit operator bool() const { return !rule.empty(); }
};

// Deterministic: the same choices from the beginning lead to the same state. It cannot be copied;
// whoever wants to go back begins again.
class System {
 public:
  System() = default;
  System(const System&) = delete;
  System& operator=(const System&) = delete;
  virtual ~System() = default;

  virtual void begin() = 0;
  // What may happen now, in the order in which it would if nobody chose; rare things are at the
  // end. Empty where the history is over.
  [[nodiscard]] virtual std::vector<Choice> choices() = 0;
  // One of those.
  virtual void take(const Choice& choice) = 0;
  // Of the state: what may happen from here on depends on nothing else.
  [[nodiscard]] virtual Fingerprint state() = 0;
  // What is wrong with the state.
  [[nodiscard]] virtual Broken flaw() { return {}; }
  // What is wrong with the whole history: it is over, or nobody will follow it any further. Nothing
  // but a new beginning may follow.
  [[nodiscard]] virtual Broken verdict(bool over) = 0;
};

}  // namespace rhizome::core
