// One peer under vector scheduling by itself: packet in, effects out.
#pragma once

#include <algorithm>
#include <any>
#include <chrono>
#include <cstdint>
#include <utility>
#include <vector>

#include "agents/schedulers.hpp"
#include "agents/vector/vector.hpp"
#include "test/support/handed_in.hpp"
#include "test/support/lone_peer.hpp"
#include "test/support/small_world.hpp"

namespace rhizome::test::lone_vector {

using namespace agents::vectors;
using core::PeerId;

inline constexpr PeerId source{0};
inline constexpr PeerId other{2};
inline constexpr PeerId third{3};

// One of four peers, all neighbours; a job of 18 tasks is handed in at peer 0.
struct Lone {
  test::World world = test::small_world();
  Options options;
  std::any chosen;  // the same, which the peer refers to
  test::LonePeer<agents::VectorPeer> peer;
  std::uint64_t told = 0;  // by neighbours

  Lone(const Lone&) = delete;
  Lone& operator=(const Lone&) = delete;
  explicit Lone(PeerId self, const Options& given = {}, core::Incarnation life = {})
      : options(given),
        chosen(given),
        peer(
            self,
            [this](core::Peer& bare) { agents::vector_scheduling().equip(bare, chosen, world); },
            life) {
    peer.start();
    if (life == core::Incarnation{})
      test::hand_in(peer, agents::vector_scheduling(), chosen, world);
  }

  void pass(core::Duration time) {
    const core::Time until = peer.now() + time;
    const auto due = [&] {
      for (const core::Arm& timer : peer.timers())
        if (timer.due <= until) return true;
      return false;
    };
    while (due()) peer.fire_next();
    peer.pass(until - peer.now());
  }
  // The same where every timer comes so much late.
  void pass_late(core::Duration time, core::Duration late) {
    const core::Time until = peer.now() + time;
    for (;;) {
      core::Time next = core::Time::max();
      for (const core::Arm& timer : peer.timers()) next = std::min(next, timer.due);
      if (next > until - late) break;
      peer.pass(std::max(core::Duration{0}, next + late - peer.now()));
      peer.fire_next();
    }
  }
  // A neighbour tells how it stands.
  void hear(PeerId from, std::uint32_t queue) {
    peer.deliver(from, Info{.vitals = {.queue = queue}, .mark = {0, ++told}});
  }
  void transfer(std::uint64_t number, std::uint32_t portion) {
    peer.deliver(source, Transfer{.number = number, .oldest = number, .tasks = {task(portion)}});
  }
  [[nodiscard]] agents::Task task(std::uint32_t portion) const {
    return world.workload.jobs[0].portions[portion];
  }
  template <class M>
  [[nodiscard]] std::size_t count() const {
    return peer.sent<M>().size();
  }
};

inline constexpr PeerId worker{1};

inline Options with(void (*change)(Options&)) {
  Options options;
  change(options);
  return options;
}

}  // namespace rhizome::test::lone_vector
