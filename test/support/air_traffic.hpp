// Small worlds of Air Traffic Control for unit tests: peer 0 is the queue, the groups are as equal
// as can be, and the first of each leads.
#pragma once

#include <algorithm>
#include <string_view>

#include "agents/air_traffic/air_traffic.hpp"
#include "agents/schedulers.hpp"
#include "test/support/handed_in.hpp"
#include "test/support/lone_peer.hpp"
#include "test/support/small_world.hpp"

namespace rhizome::test {

using Controller = LonePeer<agents::AirTraffic>;

inline constexpr core::PeerId queue{0};

// The peers of a world of five with one group.
namespace one_group {
inline constexpr core::PeerId leader{1};
inline constexpr core::PeerId worker{2};
inline constexpr core::PeerId second_worker{3};
inline constexpr core::PeerId third_worker{4};
}  // namespace one_group

inline agents::traffic::Options groups(std::uint32_t count) {
  agents::traffic::Options options;
  options.leaders = count;
  return options;
}

inline Controller started(core::PeerId id, const agents::World& world,
                          const agents::traffic::Options& options, core::Incarnation life = {}) {
  Controller peer(
      id, [&](core::Peer& bare) { agents::air_traffic().equip(bare, options, world); }, life);
  peer.start();
  if (life == core::Incarnation{}) hand_in(peer, agents::air_traffic(), options, world);
  return peer;
}

// Fires what falls due on the way.
inline void let_pass(Controller& peer, core::Duration duration) {
  const core::Time until = peer.now() + duration;
  const auto due = [&] {
    return std::any_of(peer.timers().begin(), peer.timers().end(),
                       [&](const core::Arm& timer) { return timer.due <= until; });
  };
  while (due()) peer.fire_next();
  if (peer.now() < until) peer.pass(until - peer.now());
}

inline agents::traffic::Done done(agents::TaskId task, core::PeerId executor) {
  return {{{{task}, executor}}};
}

}  // namespace rhizome::test
