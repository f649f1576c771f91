// The groups and leaders at the start, worked out once for all peers.
#pragma once

#include <cstdint>
#include <vector>

#include "agents/air_traffic/messages.hpp"
#include "agents/air_traffic/options.hpp"
#include "agents/scheduler.hpp"

namespace rhizome::agents::traffic {

struct GroupLayout {
  PeerId leader;
  std::vector<Member> members;  // without the leader
  std::vector<PeerId> edges;    // neighbouring leaders
};

// The peers without the queue, in order of address, in groups as equal as can be; the first peer of
// each group leads it. Leaders are neighbours on a ring, and where their groups are neighbours in
// the world's graph (our choice: addresses stand for the hardware's layout).
[[nodiscard]] std::vector<GroupLayout> make_layout(const Options& options, const World& world);

// What every peer has to know of a layout.
class Places {
 public:
  Places(const Options& options, const World& world);

  // The group that a peer leads. For a worker, the leader of its group alone. For the queue, no
  // leader.
  [[nodiscard]] GroupLayout of(PeerId peer) const;

 private:
  std::vector<GroupLayout> layout_;
  std::vector<std::uint32_t> group_;  // by peer
};

}  // namespace rhizome::agents::traffic
