// When which peer is away. Every source of faults adds its outages; a peer is away while any of
// them says so, so that what an engine is given never crashes the dead nor restarts the living.
#pragma once

#include <map>
#include <vector>

#include "core/engine/engine.hpp"

namespace rhizome::scenarios {

inline constexpr core::Time for_good = core::Time::max();
inline constexpr core::Time before_the_start = core::Time::min();

// From when until when; `for_good` ends one for a peer that does not come back, and one that begins
// before the start is of a peer that joins when it ends.
struct Outage {
  core::Time from{};
  core::Time until = for_good;
  core::Fault::Kind how = core::Fault::Kind::crash;  // or leave
  friend bool operator==(const Outage&, const Outage&) = default;
};

// From a time for a while; a duration of zero is for good.
[[nodiscard]] Outage outage_after(core::Time from, core::Duration lasting,
                                  core::Fault::Kind how = core::Fault::Kind::crash);

class Outages {
 public:
  void add(core::PeerId peer, const Outage& outage) { by_peer_[peer].push_back(outage); }
  // What an engine has to do, by time and then by peer.
  [[nodiscard]] std::vector<core::Fault> faults() const;

 private:
  std::map<core::PeerId, std::vector<Outage>> by_peer_;
};

}  // namespace rhizome::scenarios
