// Facts about overlays that are measured by themselves.
#pragma once

#include <cstdint>
#include <string>

#include "core/peer/fact.hpp"
#include "core/peer/ids.hpp"

namespace rhizome::agents {

using core::operator==;

struct LinkHeld {
  static constexpr core::FactInfo info{"link-held",
                                       "When an overlay is measured, a view has this link.",
                                       "known: the peer to which the link goes"};
  core::PeerId known;
};
struct NeighboursRight {
  static constexpr core::FactInfo info{
      "neighbours-right",
      "After a cycle, from 1, a peer knows so large a share of those it should.",
      "cycle: which, from 1 | share: from 0 to 1"};
  std::uint32_t cycle = 0;
  double share = 0;
};
struct ViewBroken {
  static constexpr core::FactInfo info{"view-broken",
                                       "After a cycle a view has a link that no view may have.",
                                       "link: the peer to which it goes | reason"};
  core::PeerId link;
  std::string reason;
};

}  // namespace rhizome::agents
