// What failure detectors note.
#pragma once

#include "core/peer/fact.hpp"
#include "core/peer/ids.hpp"

namespace rhizome::overlay {

struct PeerSuspected {
  static constexpr core::FactInfo info{"peer-suspected", "A watched peer was silent for a round.",
                                       "subject"};
  core::PeerId subject;
  friend bool operator==(const PeerSuspected&, const PeerSuspected&) = default;
};
struct PeerDead {
  static constexpr core::FactInfo info{
      "peer-dead", "A watched peer was silent for so long that it is taken for dead.", "subject"};
  core::PeerId subject;
  friend bool operator==(const PeerDead&, const PeerDead&) = default;
};
struct PeerLeft {
  static constexpr core::FactInfo info{"peer-left", "A watched peer has said goodbye.", "subject"};
  core::PeerId subject;
  friend bool operator==(const PeerLeft&, const PeerLeft&) = default;
};
struct PeerAlive {
  static constexpr core::FactInfo info{
      "peer-alive", "A peer that was doubted lives, or lives again.",
      "subject | restarted: 1: it lives again; 0: it had lived on"};
  core::PeerId subject;
  bool restarted = false;
  friend bool operator==(const PeerAlive&, const PeerAlive&) = default;
};

}  // namespace rhizome::overlay
