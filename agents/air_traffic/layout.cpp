#include "agents/air_traffic/layout.hpp"

#include <algorithm>
#include <cmath>

namespace rhizome::agents::traffic {

namespace {

std::uint32_t leader_count(const Options& options, const World& world, std::uint32_t peers) {
  const double derived = std::round(options.leaders_per_hundred * world.peers() / 100.0);
  const auto wanted = options.leaders > 0 ? options.leaders : static_cast<std::uint32_t>(derived);
  return std::clamp(wanted, 1U, std::max(1U, peers / 2));  // a leader needs a worker
}

// The group of each peer. The queue belongs to no group.
std::vector<std::uint32_t> groups_of(const std::vector<GroupLayout>& layout, std::uint32_t peers) {
  std::vector<std::uint32_t> groups(peers, static_cast<std::uint32_t>(layout.size()));
  for (std::uint32_t g = 0; g < layout.size(); ++g) {
    if (layout[g].leader == core::no_peer) continue;  // the world has only a queue
    groups[layout[g].leader.value] = g;
    for (const Member& member : layout[g].members) groups[member.id.value] = g;
  }
  return groups;
}

// The groups beside each group: on the ring, and in the graph.
std::vector<std::vector<std::uint32_t>> links_of(const std::vector<GroupLayout>& layout,
                                                 const overlay::Graph& graph) {
  const auto count = static_cast<std::uint32_t>(layout.size());
  std::vector<std::vector<std::uint32_t>> links(count);
  if (graph.complete >
      0) {  // all groups are neighbours, and need not be found in all pairs of peers
    for (auto& of_one : links)
      for (std::uint32_t g = 0; g < count; ++g) of_one.push_back(g);
    return links;
  }
  const auto link = [&](std::uint32_t a, std::uint32_t b) {
    if (a >= count || b >= count) return;
    links[a].push_back(b);
    links[b].push_back(a);
  };
  for (std::uint32_t g = 0; g < count; ++g) link(g, (g + 1) % count);
  const std::vector<std::uint32_t> groups = groups_of(layout, graph.peers());
  for (std::uint32_t i = 0; i < graph.peers(); ++i)
    for (const PeerId next : graph.of(PeerId{i})) link(groups[i], groups[next.value]);
  return links;
}

void link_leaders(std::vector<GroupLayout>& layout, const World& world) {
  auto links = links_of(layout, world.graph);
  for (std::uint32_t g = 0; g < layout.size(); ++g) {
    std::sort(links[g].begin(), links[g].end());
    links[g].erase(std::unique(links[g].begin(), links[g].end()), links[g].end());
    for (const std::uint32_t other : links[g])
      if (other != g) layout[g].edges.push_back(layout[other].leader);
  }
}

}  // namespace

std::vector<GroupLayout> make_layout(const Options& options, const World& world) {
  std::vector<PeerId> peers;
  for (std::uint32_t i = 0; i < world.peers(); ++i)
    if (PeerId{i} != world.source) peers.push_back(PeerId{i});
  const std::size_t count = leader_count(options, world, static_cast<std::uint32_t>(peers.size()));
  std::vector<GroupLayout> layout(count);
  for (std::size_t i = 0; i < peers.size(); ++i) {
    GroupLayout& group = layout[i * count / peers.size()];
    if (group.leader == core::no_peer) {
      group.leader = peers[i];
    } else {
      group.members.push_back({peers[i], world.capacities[peers[i].value].slots});
    }
  }
  link_leaders(layout, world);
  return layout;
}

Places::Places(const Options& options, const World& world)
    : layout_(make_layout(options, world)), group_(groups_of(layout_, world.peers())) {}

GroupLayout Places::of(PeerId peer) const {
  const std::uint32_t group = group_[peer.value];
  if (group == layout_.size()) return {};
  const GroupLayout& whole = layout_[group];
  return whole.leader == peer ? whole
                              : GroupLayout{.leader = whole.leader, .members = {}, .edges = {}};
}

}  // namespace rhizome::agents::traffic
