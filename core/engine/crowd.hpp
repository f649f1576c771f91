// The crowd at processors that several peers share: in a group with fewer processors than pieces of
// work that go on, each piece has an equal share of them. Only emulated work counts.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "core/peer/ids.hpp"

namespace rhizome::core {

// Peers that share processors. A peer in no group has processors of its own for all of its work.
struct ProcessorGroup {
  std::vector<PeerId> peers;
  std::uint32_t cores = 1;
};

// Counts may change from any thread; a peer is in one group at most. `groups` outlive it.
class Crowd {
 public:
  Crowd(const std::vector<ProcessorGroup>& groups, std::uint32_t peers)
      : groups_(groups), at_work_(groups.size()) {
    if (groups.empty()) return;
    group_of_.assign(peers, none);
    for (std::uint32_t i = 0; i < groups.size(); ++i)
      for (const PeerId peer : groups[i].peers) group_of_.at(peer.value) = i;
  }

  // Whether the peer shares processors at all.
  [[nodiscard]] bool has(PeerId peer) const {
    return !group_of_.empty() && group_of_[peer.value] != none;
  }
  // The peers of its group, itself among them. Only for a peer that shares.
  [[nodiscard]] std::span<const PeerId> with(PeerId peer) const {
    return groups_[group_of_[peer.value]].peers;
  }
  // Adds or removes pieces of work at the peer; true if that changes the share of all. Only for a
  // peer that shares.
  bool add(PeerId peer, std::int32_t pieces) {
    const std::uint32_t group = group_of_[peer.value];
    const std::int32_t before = at_work_[group].fetch_add(pieces);
    return share(group, before) != share(group, before + pieces);
  }
  // The share of a processor that a piece of work has there now; 1 for a peer that does not share.
  [[nodiscard]] double share(PeerId peer) const {
    if (!has(peer)) return 1;
    const std::uint32_t group = group_of_[peer.value];
    return share(group, at_work_[group].load());
  }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  [[nodiscard]] double share(std::uint32_t group, std::int32_t pieces) const {
    const double cores = groups_[group].cores;
    return pieces <= 0 ? 1 : std::min(1.0, cores / pieces);
  }

  const std::vector<ProcessorGroup>& groups_;
  std::vector<std::uint32_t> group_of_;  // by peer; empty where there are no groups
  std::vector<std::atomic<std::int32_t>> at_work_;
};

}  // namespace rhizome::core
