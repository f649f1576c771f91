#include "scenarios/outcome/cycles.hpp"

#include <algorithm>

namespace rhizome::scenarios {

using core::PeerId;

void Cycles::moved(PeerId peer, const Standing& tree, PeerId root, Time at) {
  for (const Cycle& cycle : open_)
    if (cycle.peers.contains(peer)) report(cycle, at);
  std::erase_if(open_, [&](const Cycle& cycle) { return cycle.peers.contains(peer); });
  Cycle cycle{.peers = {peer}, .closed_by = peer, .root = root, .since = at};
  PeerId above = tree.target(peer);
  while (above != core::nobody && cycle.peers.insert(above).second) above = tree.target(above);
  if (above == peer) open_.push_back(std::move(cycle));
}

void Cycles::report(const Cycle& cycle, Time until) {
  if (until - cycle.since <= grace_) return;
  findings_.add("tree", cycle.closed_by, cycle.since, [&] {
    return name_of(cycle.closed_by) + " hangs from a cycle in the tree of " + name_of(cycle.root) +
           ", for " + std::to_string(core::seconds(until - cycle.since)) + " s" +
           findings_.trail<agents::ParentChanged>(
               [&](const FactPlace& place) { return cycle.peers.contains(place.peer); },
               cycle.since);
  });
}

void Cycles::finish(Time at) {
  for (const Cycle& cycle : open_) report(cycle, at);
  open_.clear();
}

}  // namespace rhizome::scenarios
