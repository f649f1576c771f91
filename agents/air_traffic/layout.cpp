#include "agents/air_traffic/layout.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace rhizome::agents::traffic {

namespace {

std::uint32_t leader_count(const Options& options, const World& world, std::uint32_t peers) {
  const double derived = std::round(options.leaders_per_hundred * world.peers() / 100.0);
  const auto wanted = options.leaders > 0 ? options.leaders : static_cast<std::uint32_t>(derived);
  return std::clamp(wanted, 1U, std::max(1U, peers / 2));  // a leader needs a worker
}

void link_leaders(std::vector<Group>& layout, const World& world) {
  std::vector<std::size_t> group(world.peers(), layout.size());
  for (std::size_t g = 0; g < layout.size(); ++g) {
    group[layout[g].leader.value] = g;
    for (const Member& member : layout[g].members) group[member.id.value] = g;
  }
  std::vector<std::set<PeerId>> edges(layout.size());
  const auto link = [&](std::size_t a, std::size_t b) {
    if (a == b || a >= layout.size() || b >= layout.size()) return;
    edges[a].insert(layout[b].leader);
    edges[b].insert(layout[a].leader);
  };
  for (std::size_t g = 0; g < layout.size(); ++g) link(g, (g + 1) % layout.size());
  for (std::uint32_t i = 0; i < world.peers(); ++i)
    for (const PeerId next : world.graph.of(PeerId{i})) link(group[i], group[next.value]);
  for (std::size_t g = 0; g < layout.size(); ++g)
    layout[g].edges.assign(edges[g].begin(), edges[g].end());
}

}  // namespace

std::vector<Group> make_layout(const Options& options, const World& world) {
  std::vector<PeerId> peers;
  for (std::uint32_t i = 0; i < world.peers(); ++i)
    if (PeerId{i} != world.source) peers.push_back(PeerId{i});
  const std::size_t count = leader_count(options, world, static_cast<std::uint32_t>(peers.size()));
  std::vector<Group> layout(count);
  for (std::size_t i = 0; i < peers.size(); ++i) {
    Group& group = layout[i * count / peers.size()];
    if (group.leader == core::nobody) {
      group.leader = peers[i];
    } else {
      group.members.push_back({peers[i], world.capacities[peers[i].value].slots});
    }
  }
  link_leaders(layout, world);
  return layout;
}

const Group* group_of(const std::vector<Group>& layout, PeerId peer) {
  for (const Group& group : layout) {
    if (group.leader == peer) return &group;
    for (const Member& member : group.members)
      if (member.id == peer) return &group;
  }
  return nullptr;
}

}  // namespace rhizome::agents::traffic
