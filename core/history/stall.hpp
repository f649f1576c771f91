// Times in which threads stood still.
#pragma once

#include "core/peer/ids.hpp"
#include "core/peer/time.hpp"

namespace rhizome::core {

// An interval in which a peer's thread was late: from the moment when its start, a packet, a timer
// or an end of work was due, or a handler began, until it was handled.
struct Stall {
  PeerId peer;
  Time from{};
  Time until{};
  friend bool operator==(const Stall&, const Stall&) = default;
};

}  // namespace rhizome::core
