// Provisioning on a real cluster: inputs tell which nodes are ready or idle, and which job waits.
#include <doctest/doctest.h>

#include <vector>

#include "agents/provision/policy.hpp"
#include "agents/provision/provisioner.hpp"
#include "test/support/lone_peer.hpp"

namespace rhizome::real_provision_test {

using core::PeerId;
using core::Time;
using std::chrono::seconds;
using namespace agents::provision;  // NOLINT(google-build-using-namespace)

namespace {

using Lone = test::LonePeer<Provisioner>;

// A plan whose policy is the formula, with a decision every ten seconds.
NodePlan real_plan(std::uint32_t step) {
  NodePlan plan{.options = {.interval = seconds(10), .startup = seconds(5), .step = step},
                .limits = {1, 3},
                .nodes = {PeerId{2}, PeerId{3}, PeerId{4}},
                .at_start = 1,
                .cluster_nodes = 3,
                .real = true};
  while (policy_of(plan.options.policy).word != "formula")
    plan.options.policy = PolicyId(static_cast<int>(plan.options.policy) + 1);
  return plan;
}

Lone door_of(const NodePlan& plan) { return Lone(PeerId{0}, PeerId{0}, PeerId{0}, plan); }

// An input at the door, now.
template <class I>
void enter(Lone& door, const I& said) {
  door.expect(core::make_input(door.now(), PeerId{0}, said));
  door.take_inputs();
}

void hand_in(Lone& door, std::uint32_t tasks) {
  agents::JobArrives arrives{};
  for (std::uint32_t i = 0; i < tasks; ++i) arrives.job.portions.push_back({.id = {0, i}});
  enter(door, arrives);
}

}  // namespace

TEST_CASE("a real node is launched once, when its worker is ready, however long that takes") {
  const NodePlan plan = real_plan(1);
  auto door = door_of(plan);
  door.start();
  hand_in(door, 10);
  enter(door, NodeReady{PeerId{3}});  // not reserved
  REQUIRE(door.fire_next());
  REQUIRE(test::only<NodeReserved>(door.facts()).back() == NodeReserved{PeerId{3}});
  REQUIRE(door.fire_next());  // the next decision, and no end of a start-up before it
  CHECK(door.now() == Time{} + seconds(20));
  CHECK(door.launched().empty());
  enter(door, NodeReady{PeerId{3}});
  CHECK(door.launched() == std::vector{PeerId{3}});
  door.deliver(PeerId{3}, Here{1});
  enter(door, NodeReady{PeerId{3}});
  CHECK(door.launched() == std::vector{PeerId{3}});
}

TEST_CASE("the death of a worker is a fact, with the tasks that it had") {
  const NodePlan plan = real_plan(1);
  auto door = door_of(plan);
  door.start();
  enter(door, NodeLost{PeerId{2}, 3});
  enter(door, NodeLost{PeerId{9}, 3});  // which is no node
  CHECK(test::only<NodeDied>(door.facts()) == std::vector{NodeDied{PeerId{2}, 3}});
}

TEST_CASE("a real cluster decides what is idle, and who waits on top of its queue") {
  const NodePlan plan = real_plan(0);
  auto door = door_of(plan);
  door.start();
  hand_in(door, 10);
  enter(door, ClusterSeen{});
  REQUIRE(door.fire_next());  // two more are wanted, and none is idle
  CHECK(test::only<NodeReserved>(door.facts()).size() == 1);
  enter(door, ClusterSeen{.idle = 1});
  REQUIRE(door.fire_next());
  CHECK(test::only<NodeReserved>(door.facts()).size() == 2);
  enter(door, NodeReady{PeerId{3}});
  door.deliver(PeerId{3}, Here{1});
  enter(door, ClusterSeen{.required = 2, .waited = std::chrono::minutes(2)});
  REQUIRE(door.fire_next());  // a queue of 4 against a demand of 1
  CHECK(test::only<IndexRead>(door.facts()).back().queue == doctest::Approx(4));
  CHECK(door.sent<Drain>().size() == 1);
}

}  // namespace rhizome::real_provision_test
