// What a scheduler asks of whoever judges the structure of its peers.
#pragma once

#include "core/peer/time.hpp"

namespace rhizome::agents {

// How long a mistake may show in a structure of peers, a tree or groups, while they follow a fault.
// The default is that of the slowest sensible failure detector.
struct Patience {
  // Until nobody follows a peer that is gone or no longer leads.
  core::Duration notice = std::chrono::seconds(30);
  // From then on, until whoever lost its place has another or gives up.
  core::Duration mend = std::chrono::seconds(30);
  friend bool operator==(const Patience&, const Patience&) = default;
};

}  // namespace rhizome::agents
