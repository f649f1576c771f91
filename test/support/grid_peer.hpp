// One agent of the Organic Grid alone, and messages from its neighbours.
#pragma once

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "agents/organic_grid/organic_grid.hpp"
#include "agents/schedulers.hpp"
#include "test/support/handed_in.hpp"
#include "test/support/lone_peer.hpp"
#include "test/support/small_world.hpp"

namespace rhizome::test {

using GridPeer = LonePeer<agents::OrganicGrid>;
namespace grid = agents::grid;

// Peer 0 is the root of the tree, and in most conversations peer 1 is ours.
inline constexpr core::PeerId root{0};
inline constexpr core::PeerId me{1};

inline GridPeer grid_peer(core::PeerId id, const agents::World& world,
                          const grid::Options& options = {}) {
  GridPeer peer(id, [&](core::Peer& bare) { agents::organic_grid().equip(bare, options, world); });
  peer.start();
  hand_in(peer, agents::organic_grid(), options, world);
  return peer;
}

// A child of the root in its first stay, which has epoch 1; it has asked for work.
inline GridPeer joined(const agents::World& world, const grid::Options& options = {}) {
  GridPeer peer = grid_peer(me, world, options);
  peer.deliver(root, grid::Clone{root, {}, {root}});
  return peer;
}

// The root itself, once its jobs have come.
inline GridPeer working_root(const agents::World& world, const grid::Options& options = {}) {
  GridPeer peer = grid_peer(root, world, options);
  while (peer.facts().empty()) peer.fire_next();
  peer.forget();
  return peer;
}

inline agents::Task task(std::uint32_t portion) {
  return {.id = {0, portion}, .duration = std::chrono::milliseconds(100)};
}
inline std::vector<agents::Task> tasks(std::uint32_t first, std::uint32_t count) {
  std::vector<agents::Task> list;
  for (std::uint32_t i = 0; i < count; ++i) list.push_back(task(first + i));
  return list;
}
inline std::vector<grid::Result> results(std::uint32_t first, std::uint32_t count,
                                         core::PeerId executor) {
  std::vector<grid::Result> list;
  for (std::uint32_t i = 0; i < count; ++i) list.push_back({{0, first + i}, executor});
  return list;
}

// A supply from the root to its child in stay 1.
inline grid::Supply supply(std::vector<agents::Task> list, std::uint64_t first = 0,
                           std::uint64_t acknowledged = 0) {
  return {root, 1, first, acknowledged, {}, {root}, std::move(list)};
}
inline grid::AliveToo alive_too(std::uint64_t acknowledged,
                                std::vector<core::PeerId> ancestors = {root}) {
  return {root, 1, acknowledged, {}, std::move(ancestors)};
}

// Takes on a child that asks for work and comes, in its stay 1. There must be work to give.
inline void take_on(GridPeer& peer, core::PeerId child) {
  peer.deliver(child, grid::Ask{});
  peer.deliver(child, grid::Alive{root, 1, 0, 0});
}

// Bursts of one result each, `gap` apart: numbers first, first + 1, ... of the child's stay 1.
inline void bursts(GridPeer& peer, core::PeerId child, std::uint64_t first, std::uint32_t count,
                   core::Duration gap) {
  for (std::uint32_t i = 0; i < count; ++i) {
    peer.pass(gap);
    const agents::TaskId id{child.value, static_cast<std::uint32_t>(first) + i};
    peer.deliver(child, grid::Results{root, 1, first + i, 0, 0, {{{id}, child}}});
  }
}

// Fires timers for that long.
inline void live(GridPeer& peer, core::Duration duration) {
  const core::Time until = peer.now() + duration;
  const auto due = [&] {
    return std::any_of(peer.timers().begin(), peer.timers().end(),
                       [&](const core::Arm& timer) { return timer.due <= until; });
  };
  while (due()) peer.fire_next();
  peer.pass(until - peer.now());
}

}  // namespace rhizome::test
