// What failure detectors note.
#pragma once

#include "core/peer/fact.hpp"
#include "core/peer/ids.hpp"

namespace rhizome::overlay {

using core::operator==;

struct PeerSuspected {
  static constexpr core::FactInfo info{"peer-suspected", "A watched peer was silent for a round.",
                                       "subject"};
  core::PeerId subject;
};
struct PeerDead {
  static constexpr core::FactInfo info{
      "peer-dead", "A watched peer was silent for so long that it is taken for dead.", "subject"};
  core::PeerId subject;
};
struct PeerLeft {
  static constexpr core::FactInfo info{"peer-left", "A watched peer has said goodbye.", "subject"};
  core::PeerId subject;
};
struct PeerAlive {
  static constexpr core::FactInfo info{
      "peer-alive", "A peer that was doubted lives, or lives again.",
      "subject | restarted: 1: it lives again; 0: it had lived on"};
  core::PeerId subject;
  bool restarted = false;
};

}  // namespace rhizome::overlay
