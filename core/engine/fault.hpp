// Faults: which peers come and go while a run is under way, as decided before it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/peer/ids.hpp"
#include "core/peer/time.hpp"

namespace rhizome::core {

// A change in which peers are alive, decided before the run.
struct Fault {
  enum class Kind : std::uint8_t {
    crash,    // gone without a message
    restart,  // a new life of a peer that had crashed or left
    leave,    // gone once its protocols have handled a Departure
    join,     // the first life of a peer that is not there at the start
    last = join
  };
  Time at{};
  PeerId peer{};
  Kind kind = Kind::crash;
  friend bool operator==(const Fault&, const Fault&) = default;
};

inline constexpr std::size_t fault_kinds = static_cast<std::size_t>(Fault::Kind::last) + 1;
[[nodiscard]] std::string_view name_of(Fault::Kind);
// Whether the peer is gone afterwards.
[[nodiscard]] constexpr bool ends_life(Fault::Kind kind) {
  return kind == Fault::Kind::crash || kind == Fault::Kind::leave;
}

}  // namespace rhizome::core
