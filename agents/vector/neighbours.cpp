#include "agents/vector/neighbours.hpp"

#include <algorithm>

namespace rhizome::agents::vectors {

Neighbours::Neighbours(overlay::Neighbours of) {
  for (const PeerId peer : of) known_.emplace(peer, Known{});
}

std::vector<PeerId> Neighbours::all() const {
  std::vector<PeerId> peers;
  for (const auto& [peer, known] : known_) peers.push_back(peer);
  return peers;
}

Info Neighbours::tell(PeerId peer, const Vitals& vitals, core::Time now) {
  Known& known = known_.at(peer);
  known.number_at = now;
  return {.vitals = vitals,
          .number = ++known.number,
          .echo = known.heard,
          .held = known.heard == 0 ? core::Duration{0} : now - known.told_at};
}

// Only the answer to the last one says how long both ways took: of an older one nobody knows when
// it went.
void Neighbours::heard(PeerId peer, const Info& info, core::Time now) {
  Known& known = known_.at(peer);
  if (info.echo != 0 && info.echo == known.number)
    known.latency = std::max(core::Duration{0}, (now - known.number_at - info.held) / 2);
  known.told = info.vitals;
  known.told_at = now;
  known.sent = 0;
  known.heard = info.number;
}

// Who asks has nothing left.
void Neighbours::asks(PeerId peer) {
  const auto found = known_.find(peer);
  if (found == known_.end() || !found->second.told) return;
  found->second.told->queue = 0;
  found->second.told->left = core::Duration{0};
  found->second.sent = 0;
}

void Neighbours::sent(PeerId peer, std::uint32_t tasks) { known_.at(peer).sent += tasks; }

void Neighbours::lost(PeerId peer) { known_.at(peer).told.reset(); }

std::vector<Seen> Neighbours::since(core::Time time) const {
  std::vector<Seen> seen;
  for (const auto& [peer, known] : known_)
    if (known.told && known.told_at >= time)
      seen.push_back({peer, *known.told, core::seconds(known.latency), known.sent});
  return seen;
}

}  // namespace rhizome::agents::vectors
