// When each peer is away. Every source of faults adds its outages; a peer is away during any of
// them, so that the faults for an engine never crash a dead peer nor restart a living one.
#pragma once

#include <map>
#include <vector>

#include "core/engine/engine.hpp"

namespace rhizome::scenarios {

inline constexpr core::Time for_good = core::Time::max();
inline constexpr core::Time before_the_start = core::Time::min();

// An interval. `for_good` ends it for a peer that does not come back; if it begins before the
// start, the peer joins when it ends.
struct Outage {
  core::Time from{};
  core::Time until = for_good;
  core::Fault::Kind how = core::Fault::Kind::crash;  // or leave
  friend bool operator==(const Outage&, const Outage&) = default;
};

// An outage from that time for a while; a duration of zero never ends.
[[nodiscard]] Outage outage_after(core::Time from, core::Duration lasting,
                                  core::Fault::Kind how = core::Fault::Kind::crash);

class Outages {
 public:
  void add(core::PeerId peer, const Outage& outage) { by_peer_[peer].push_back(outage); }
  // The faults for an engine, by time and then by peer.
  [[nodiscard]] std::vector<core::Fault> faults() const;

 private:
  std::map<core::PeerId, std::vector<Outage>> by_peer_;
};

}  // namespace rhizome::scenarios
