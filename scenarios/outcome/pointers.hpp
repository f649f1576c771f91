// Tracks which peer points at which, and since when: a child at its parent or a worker at its
// leader. A state is judged only if it lasts for longer than the scheduler's patience.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "scenarios/outcome/findings.hpp"

namespace rhizome::scenarios {

// Which peers others may point at, and how violations are described.
struct PointerRules {
  InvariantName invariant;
  // Whether other peers may point at a peer that itself points at `to`. No `to`: the peer has no
  // place.
  std::function<bool(core::PeerId peer, std::optional<core::PeerId> to)> carries;
  // "hangs from peer 2, which is dead,": describes the error of a peer that points at `to`.
  std::function<std::string(core::PeerId peer, core::PeerId to)> words;
  // The facts about the changes of a peer up to a time.
  std::function<std::string(core::PeerId peer, Time until)> trail;
};

class Pointers {
 public:
  Pointers(PointerRules rules, const Patience& patience, Findings& findings)
      : rules_(std::move(rules)), patience_(patience), findings_(findings) {}

  // The peer points at `to` now: at core::no_peer while it looks for a place.
  void point(core::PeerId peer, core::PeerId to, Time at);
  // The peer is gone, or needs no place any more.
  void remove(core::PeerId peer, Time at);
  // Between pause() and resume() nothing is judged, because the network is cut or a thread stalls.
  void pause(Time at);
  void resume(Time at);
  void finish(Time at) { pause(at); }

  // The peer that `peer` points at; core::no_peer also where `peer` has no place.
  [[nodiscard]] core::PeerId target(core::PeerId peer) const;
  [[nodiscard]] Judged judged() const { return times_.of(rules_.invariant.text()); }

 private:
  struct Place {
    core::PeerId to;
    Time since;
    bool sound = true;
  };
  [[nodiscard]] bool carries(core::PeerId peer) const;
  [[nodiscard]] bool sound(const Place& place) const;
  // Judges the place of a peer from its last change until now.
  void close(core::PeerId peer, Place& place, Time at);
  void close_all(Time at);
  // Updates the peers that point at `peer` after its change.
  void tell_followers(core::PeerId peer, Time at);

  PointerRules rules_;
  const Patience& patience_;
  Findings& findings_;
  PeerTimes times_;
  std::map<core::PeerId, Place> places_;
  std::map<core::PeerId, std::set<core::PeerId>> followers_;
  bool paused_ = false;
};

}  // namespace rhizome::scenarios
