// Who points at whom, a child at its parent or a worker at its leader, and how long each has stood
// as it stands. What stood still for longer than a mistake may last is judged; what did not is not.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "scenarios/outcome/findings.hpp"

namespace rhizome::scenarios {

// What may be pointed at, and how that is told.
struct StandingRules {
  std::string invariant;
  // Whether others may point at a peer that points at `to` itself; nothing: it has no part in this.
  std::function<bool(core::PeerId peer, std::optional<core::PeerId> to)> carries;
  // "hangs from peer 2, which is dead,": what is wrong with a peer that points at `to`.
  std::function<std::string(core::PeerId peer, core::PeerId to)> words;
  // The facts up to a time that tell of its changes.
  std::function<std::string(core::PeerId peer, Time until)> trail;
};

class Standing {
 public:
  Standing(StandingRules rules, const Patience& patience, Findings& findings)
      : rules_(std::move(rules)), patience_(patience), findings_(findings) {}

  // It points at `to` now: at nobody while it looks for a place.
  void point(core::PeerId peer, core::PeerId to, Time at);
  // It is gone, or needs no place any more.
  void remove(core::PeerId peer, Time at);
  // Nobody can be blamed for what stands while the network is cut.
  void pause(Time at);
  void resume(Time at);
  void finish(Time at) { pause(at); }

  // Whom it points at: nobody too when it has no part in this.
  [[nodiscard]] core::PeerId target(core::PeerId peer) const;
  [[nodiscard]] const Judged& judged() const { return judged_; }

 private:
  struct Place {
    core::PeerId to;
    Time since;
    bool sound = true;
  };
  [[nodiscard]] bool carries(core::PeerId peer) const;
  [[nodiscard]] bool sound(const Place& place) const;
  // Judges how a peer has stood until now.
  void close(core::PeerId peer, Place& place, Time at);
  void close_all(Time at);
  // What a peer's change means to those who point at it.
  void tell_followers(core::PeerId peer, Time at);

  StandingRules rules_;
  const Patience& patience_;
  Findings& findings_;
  Judged judged_{.invariant = rules_.invariant};
  std::map<core::PeerId, Place> places_;
  std::map<core::PeerId, std::set<core::PeerId>> followers_;
  bool paused_ = false;
};

}  // namespace rhizome::scenarios
