// The groups and leaders at the start, which every peer derives from the world alike.
#pragma once

#include <vector>

#include "agents/air_traffic/messages.hpp"
#include "agents/air_traffic/options.hpp"
#include "agents/scheduler.hpp"

namespace rhizome::agents::traffic {

struct Group {
  PeerId leader;
  std::vector<Member> members;  // without the leader
  std::vector<PeerId> edges;    // neighbouring leaders
};

// The peers without the queue, in order of address, in groups as equal as can be;
// the first of each leads. Leaders are neighbours on a ring, and where their groups are neighbours
// in the world's graph (our choice: addresses stand for the hardware's layout).
[[nodiscard]] std::vector<Group> make_layout(const Options& options, const World& world);

// The group of a peer; nullptr for the queue.
[[nodiscard]] const Group* group_of(const std::vector<Group>& layout, PeerId peer);

}  // namespace rhizome::agents::traffic
