#include "agents/vector/neighbour_table.hpp"

#include <algorithm>

namespace rhizome::agents::vectors {

NeighbourTable::NeighbourTable(overlay::Neighbours of) {
  for (const PeerId peer : of) known_.emplace(peer, NeighbourRecord{});
}

std::vector<PeerId> NeighbourTable::all() const {
  std::vector<PeerId> peers;
  for (const auto& [peer, known] : known_) peers.push_back(peer);
  return peers;
}

Info NeighbourTable::tell(PeerId peer, const PeerMetrics& vitals, core::Time now) {
  NeighbourRecord& known = known_.at(peer);
  known.number_at = now;
  return {.vitals = vitals,
          .mark = {life_, ++known.number},
          .echo = known.heard,
          .held = known.heard == Mark{} ? core::Duration{0} : now - known.told_at,
          .taken = known.came};
}

// The latency is measured only by the answer to the last Info, because the sending times of older
// ones are not kept. A transfer that a later one overtook counts as having come, since a lost one
// must in the end count so too; transfers to a former life of the neighbour are dropped.
bool NeighbourTable::heard(PeerId peer, const Info& info, core::Time now) {
  NeighbourRecord& known = known_.at(peer);
  if (info.mark <= known.heard) return false;
  if (info.echo != Mark{} && info.echo == Mark{life_, known.number})
    known.latency = std::max(core::Duration{0}, (now - known.number_at - info.held) / 2);
  if (info.mark.life != known.heard.life) known.sent.clear();
  std::erase_if(known.sent, [&](const Sent& each) {
    return Mark{life_, each.number} <= info.taken;
  });
  known.told = info.vitals;
  known.told_at = now;
  known.heard = info.mark;
  return true;
}

// A peer that asks for work has nothing left; which of the tasks sent to it have come and are done
// is not known.
void NeighbourTable::asks(PeerId peer) {
  const auto found = known_.find(peer);
  if (found == known_.end() || !found->second.told) return;
  found->second.told->queue = 0;
  found->second.told->left = core::Duration{0};
  found->second.sent.clear();
}

void NeighbourTable::sent(PeerId peer, std::uint64_t number, std::uint32_t tasks) {
  known_.at(peer).sent.push_back({number, tasks});
}

void NeighbourTable::came(PeerId peer, Mark transfer) {
  Mark& latest = known_.at(peer).came;
  latest = std::max(latest, transfer);
}

// The tasks that were sent are taken back, or will be.
void NeighbourTable::lost(PeerId peer) {
  known_.at(peer).told.reset();
  known_.at(peer).sent.clear();
}

std::vector<NeighbourState> NeighbourTable::since(core::Time time) const {
  std::vector<NeighbourState> seen;
  for (const auto& [peer, known] : known_) {
    if (!known.told || known.told_at < time) continue;
    std::uint32_t sent = 0;
    for (const Sent& each : known.sent) sent += each.tasks;
    seen.push_back({peer, *known.told, core::seconds(known.latency), sent});
  }
  return seen;
}

}  // namespace rhizome::agents::vectors
