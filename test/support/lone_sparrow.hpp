// A Sparrow peer by itself, and the conversations that its tests begin with.
#pragma once

#include <doctest/doctest.h>

#include <any>
#include <cstdint>
#include <utility>
#include <vector>

#include "agents/schedulers.hpp"
#include "agents/sparrow/sparrow.hpp"
#include "test/support/handed_in.hpp"
#include "test/support/lone_peer.hpp"
#include "test/support/small_world.hpp"

namespace rhizome::test {

namespace sparrow = agents::sparrow;

inline constexpr core::PeerId source{0};
inline constexpr core::PeerId other{1};
inline constexpr core::PeerId third{3};

// Peer 2 of four, all neighbours, with two slots and memory 1 each. Of ten jobs of two tasks the
// ring gives it none, so that whatever happens is what a test does.
struct LoneSparrow {
  World world;
  sparrow::Options options;
  sparrow::Walks walks;
  std::uint64_t probed = 0;
  LonePeer<agents::Sparrow> peer;

  explicit LoneSparrow(const sparrow::Options& chosen = {}, core::PeerId self = core::PeerId{2})
      : LoneSparrow(chosen, self, make_world()) {}
  LoneSparrow(const sparrow::Options& chosen, core::PeerId self, World given,
              core::Incarnation life = {})
      : world(std::move(given)),
        options(chosen),
        walks(options, world.longest_delay),
        peer(
            self,
            [this](core::Peer& bare) {
              agents::sparrow_family().equip(bare, std::any(options), world);
            },
            life) {
    peer.start();
    if (life == core::Incarnation{})
      hand_in(peer, agents::sparrow_family(), std::any(options), world);
  }

  static World make_world() {
    World made = small_world({.jobs = 10, .portions = 2});
    for (agents::Capacity& capacity : made.capacities) capacity.slots = 2;
    made.profile.largest.cpus = 3;  // tests choose the tasks
    return made;
  }

  [[nodiscard]] const agents::Task& task(agents::TaskId id = {}) const {
    return world.workload.jobs[id.job].portions[id.portion];
  }
  // Makes the peer the master of tasks, as the source does when their master has died.
  void adopt(const std::vector<agents::TaskId>& tasks = {{0, 0}}) {
    sparrow::Adopt message;
    for (const agents::TaskId id : tasks) message.tasks.push_back(task(id));
    peer.deliver(world.source, message);
  }
  // A probe on its way from its master, each of another walk.
  void probe(agents::TaskId id, std::uint32_t cpus = 1, std::uint32_t hops = 0) {
    const sparrow::Step step{walks.first(probed++).value + hops};
    peer.deliver(other, sparrow::Probe{id, {cpus, 0}, other, step});
  }
  void assign(std::uint64_t placeholder, agents::TaskId id, std::uint32_t cpus = 1) {
    agents::Task given = task(id);
    given.cpus = cpus;
    peer.deliver(other, sparrow::Assign{placeholder, given});
  }
  // The placeholder deposited last.
  [[nodiscard]] std::uint64_t placeholder() const {
    return peer.sent<sparrow::Deposited>().back().second.placeholder;
  }
  [[nodiscard]] std::size_t probes_for(std::uint32_t job) const {
    std::size_t count = 0;
    for (const auto& [to, sent] : peer.sent<sparrow::Probe>()) count += sent.task.job == job;
    return count;
  }
  template <class F>
  [[nodiscard]] std::size_t noted() const {
    return count_facts<F>(peer);
  }
  // Peer `who` says goodbye, so that it is held for dead if it was watched.
  void leaves(core::PeerId who) {
    peer.deliver_to<overlay::FailureDetector>(who, overlay::Farewell{0});
  }
  // Gossip and pings go on for ever, so patience has an end.
  template <class Condition>
  void fire_until(Condition condition) {
    for (int i = 0; i < 500 && !condition(); ++i) REQUIRE(peer.fire_next());
    CHECK(condition());
  }
};

inline sparrow::Options probing(std::uint32_t probes) {
  sparrow::Options options;
  options.probes = probes;
  return options;
}

// Early binding with a sample of so many peers for each task.
inline sparrow::Options early(sparrow::Sampling sampling, std::uint32_t probes) {
  sparrow::Options options = probing(probes);
  options.sampling = sampling;
  return options;
}

}  // namespace rhizome::test
