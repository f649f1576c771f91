// How much time a scheduler asks for from a checker of the structure of its peers.
#pragma once

#include "core/peer/time.hpp"

namespace rhizome::agents {

// How long the structure of peers, a tree or groups, may be wrong after a fault. The default is the
// time of the slowest sensible failure detector.
struct Patience {
  // Time until no peer follows a dead peer or a former leader.
  core::Duration notice = std::chrono::seconds(30);
  // Time after that until each peer that lost its place has another or gives up.
  core::Duration mend = std::chrono::seconds(30);
  friend bool operator==(const Patience&, const Patience&) = default;
};

}  // namespace rhizome::agents
