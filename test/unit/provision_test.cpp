// Provisioning: the formula, the cluster and the policies as pure values, and the peers that
// reserve nodes and give them back.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "agents/provision/cluster.hpp"
#include "agents/provision/formula.hpp"
#include "agents/provision/policy.hpp"
#include "agents/provision/provisioner.hpp"
#include "test/support/lone_peer.hpp"

namespace rhizome::provision_test {

using core::Duration;
using core::PeerId;
using core::Time;
using std::chrono::seconds;
using namespace agents::provision;  // NOLINT(google-build-using-namespace)

namespace {

constexpr Duration minute = std::chrono::minutes(1);

Time at(int second) { return Time{} + seconds(second); }

PolicyId called(std::string_view word) {
  for (std::size_t i = 0; i < policies().size(); ++i)
    if (policies()[i].word == word) return static_cast<PolicyId>(i);
  FAIL("no such policy: " << word);
  return {};
}

// From the specification: two jobs, with a half and all of their tasks left.
Situation busy(std::uint32_t reserved) {
  return {.limits = {2, 10},
          .jobs = {{10, 5}, {8, 8}},
          .reserved = reserved,
          .cluster = {.idle = 5, .required = 6, .waited = seconds(30)}};
}

std::int64_t change(std::string_view policy, const Situation& situation, std::uint32_t step = 0) {
  return change_of({.policy = called(policy), .step = step}, situation);
}

NodePlan plan_of(std::string_view policy, Duration probation = {}) {
  return {.options = {.policy = called(policy),
                      .interval = seconds(10),
                      .startup = seconds(5),
                      .probation = probation,
                      .step = 1},
          .limits = {1, 3},
          .nodes = {PeerId{2}, PeerId{3}, PeerId{4}},
          .at_start = 1,
          .cluster_nodes = 3};
}

using Lone = test::LonePeer<Provisioner>;

void hand_in(Lone& door, std::uint32_t job, std::uint32_t tasks) {
  agents::JobArrives arrives{};
  arrives.job.id = job;
  for (std::uint32_t i = 0; i < tasks; ++i) arrives.job.portions.push_back({.id = {job, i}});
  door.expect(core::make_input(door.now(), PeerId{0}, arrives));
  door.take_inputs();
}

// Raises a signal at the peer of a provisioner, beside it.
struct Mouth {
  using Messages = core::Nothing;
  using Env = core::Env<Messages>;
  struct Say {
    static constexpr core::InputInfo info{"say", "What the scheduler of the peer says."};
    int what = 0;
  };
  using Inputs = core::OneOf<Say>;
  using Hears = core::OneOf<Draining>;
  static constexpr std::string_view name = "mouth";
  int asked = 0;
  void on(Env& env, const Say& say) {
    if (say.what == 0) env.raise(Vacated{});
    if (say.what == 1) env.raise(Resting{true});
    if (say.what == 2) {
      env.raise(Resting{false});
      env.raise(agents::Drained{});
    }
    if (say.what > 2)
      env.raise(agents::Finished{
          {say.what < 100 ? 0U : 1U,
           static_cast<std::uint32_t>(say.what < 100 ? say.what - 3 : say.what - 103)},
          PeerId{2}});
  }
  void on(Env&, const Draining&) { ++asked; }
};

void say(Lone& node, int what) {
  node.expect(core::make_input(node.now(), node.peer().id(), Mouth::Say{what}));
  node.take_inputs();
}

Lone peer_of(const NodePlan& plan, PeerId self, core::Incarnation life) {
  return {self,
          [&plan](core::Peer& peer) {
            peer.add<Provisioner>(peer.id(), PeerId{0}, plan);
            peer.add<Mouth>();
          },
          life};
}
Lone node_of(const NodePlan& plan, core::Incarnation life = {}) {
  return peer_of(plan, PeerId{2}, life);
}
Lone door_of(const NodePlan& plan) { return peer_of(plan, PeerId{0}, {}); }

// Four tasks have a second node reserved, which has started.
void with_two_nodes(Lone& door) {
  door.start();
  hand_in(door, 0, 4);
  REQUIRE(door.fire_next());
  REQUIRE(door.fire_next());
  REQUIRE(door.launched() == std::vector{PeerId{3}});
  door.deliver(PeerId{3}, Here{1});
}

}  // namespace

TEST_CASE("the index is as computed by hand") {
  const Reading up = read_index({2, 10}, busy(4).jobs, 4,
                                {.idle = 5, .required = 6, .waited = seconds(30)}, minute);
  CHECK(up.goal == doctest::Approx(7.5));
  CHECK(up.demand == doctest::Approx(3.5));
  CHECK(up.queue == doctest::Approx(0.5));
  CHECK(up.index == doctest::Approx(3.0));

  const std::vector<JobProgress> last{{10, 1}};
  CHECK(read_index({2, 10}, last, 4, {}, minute) == Reading{2, -2, 0, -2});
}

TEST_CASE("without a job the goal is the least, and without a queue it asks for nothing") {
  CHECK(read_index({2, 10}, {}, 2, {.idle = 9}, minute) == Reading{2, 0, 0, 0});
}

TEST_CASE("more idle nodes than the top of the queue needs let a system grow into them") {
  const ClusterState cluster{.idle = 8, .required = 6, .waited = seconds(60)};
  const Reading reading = read_index({2, 10}, busy(4).jobs, 4, cluster, minute);
  CHECK(reading.queue == doctest::Approx(-2));
  CHECK(reading.index == doctest::Approx(5.5));
}

TEST_CASE("the unit of time decides how soon others are given way to") {
  const ClusterState cluster{.idle = 5, .required = 6, .waited = seconds(30)};
  CHECK(read_index({2, 10}, {}, 2, cluster, seconds(1)).queue == doctest::Approx(30));
}

TEST_CASE("other users are served first come first served, and no job passes the top") {
  Cluster cluster(4, {{at(0), 3, seconds(100)}, {at(1), 2, seconds(10)}, {at(2), 1, seconds(10)}});
  cluster.advance(at(5));
  CHECK(cluster.state().idle == 1);  // for which the last would do
  CHECK(cluster.state().required == 2);
  CHECK(cluster.state().waited == seconds(4));
  cluster.advance(at(100));
  CHECK(cluster.state().required == 0);
  CHECK(cluster.state().idle == 1);
  CHECK(cluster.waits() == std::vector<Duration>{seconds(0), seconds(99), seconds(98)});
  CHECK(cluster.waits().empty());
}

TEST_CASE("the time on top begins where the one before has left it") {
  Cluster cluster(2, {{at(0), 2, seconds(10)}, {at(1), 2, seconds(10)}, {at(2), 2, seconds(10)}});
  cluster.advance(at(15));
  CHECK(cluster.state().waited == seconds(5));
}

TEST_CASE("a reserved node is used by no other job, and is given back to the waiting one") {
  Cluster cluster(2, {{at(10), 2, seconds(10)}});
  REQUIRE(cluster.reserve());
  cluster.advance(at(20));
  CHECK(cluster.state().required == 2);
  cluster.release();
  CHECK(cluster.state().idle == 0);
  CHECK(cluster.waits() == std::vector<Duration>{seconds(10)});
  CHECK_FALSE(cluster.reserve());
}

TEST_CASE("policies differ in their demand in one situation") {
  CHECK(change("none", busy(4)) == 0);
  CHECK(change("keep-all", busy(4)) == 6);
  CHECK(change("formula", busy(4)) == 3);
  CHECK(change("hysteresis", busy(4)) == 3);
  CHECK(change("queue-length", busy(4)) == 3);  // 13 tasks left, two for each of seven
}

TEST_CASE("a small index moves the formula, and not the one with hysteresis") {
  Situation near = busy(7);  // a goal of 7.5, and no job on top
  near.cluster = {.idle = 5};
  CHECK(change("formula", near) == 1);
  CHECK(change("hysteresis", near) == 0);
  near.reserved = 9;
  CHECK(change("hysteresis", near) == -2);
}

TEST_CASE("no change is larger than a step, nor leads out of the limits") {
  CHECK(change("formula", busy(4), 1) == 1);
  CHECK(change("keep-all", busy(4), 1) == 6);
  Situation idle = busy(2);
  idle.jobs.clear();
  CHECK(change("formula", idle) == 0);
  CHECK(change("queue-length", idle) == 0);
}

TEST_CASE("a node is launched once its start-up is over, and paid for before") {
  const NodePlan plan = plan_of("formula");
  auto door = door_of(plan);
  door.start();
  hand_in(door, 0, 10);
  REQUIRE(door.fire_next());  // at 10 s: a goal of 3 nodes, one of which is held
  CHECK(door.launched().empty());
  REQUIRE(door.fire_next());
  CHECK(door.now() == at(15));
  CHECK(door.launched() == std::vector{PeerId{3}});
}

TEST_CASE("the latest node is asked to leave, again until it has left, and only then given back") {
  const NodePlan plan = plan_of("queue-length");
  auto door = door_of(plan);
  with_two_nodes(door);
  for (int portion = 0; portion < 3; ++portion) say(door, 3 + portion);
  REQUIRE(door.fire_next());  // one task is left, for one node
  REQUIRE(door.sent<Drain>().size() == 1);
  CHECK(door.sent<Drain>().front().first == PeerId{3});
  REQUIRE(door.fire_next());
  CHECK(door.sent<Drain>().size() == 2);
  CHECK(test::only<NodeReleased>(door.facts()).empty());
  door.deliver(PeerId{3}, Gone{0});  // of a life before this one
  CHECK(test::only<NodeReleased>(door.facts()).empty());
  door.deliver(PeerId{3}, Gone{1});
  CHECK(test::only<NodeReleased>(door.facts()) == std::vector{NodeReleased{PeerId{3}}});
  hand_in(door, 1, 9);
  REQUIRE(door.fire_next());
  CHECK(test::only<NodeReserved>(door.facts()).back() == NodeReserved{PeerId{3}});
}

TEST_CASE("a result that comes twice is left once") {
  const NodePlan plan = plan_of("queue-length");
  auto door = door_of(plan);
  with_two_nodes(door);
  for (int again = 0; again < 3; ++again) say(door, 3);
  REQUIRE(door.fire_next());  // three are left, for two nodes
  CHECK(door.sent<Drain>().empty());
}

TEST_CASE("with a probation, only a node that has passed it is asked to leave, the first first") {
  const NodePlan plan = plan_of("queue-length", seconds(20));
  auto door = door_of(plan);
  with_two_nodes(door);
  for (int portion = 0; portion < 3; ++portion) say(door, 3 + portion);
  REQUIRE(door.fire_next());
  CHECK(door.sent<Drain>().empty());
  door.deliver(PeerId{2}, IdleNode{0, true});
  door.pass(seconds(1));
  door.deliver(PeerId{3}, IdleNode{1, true});
  REQUIRE(door.fire_next());
  REQUIRE(door.sent<Drain>().size() == 1);
  CHECK(door.sent<Drain>().front().first == PeerId{2});
}

TEST_CASE("a node that works again is on no probation") {
  const NodePlan plan = plan_of("queue-length", seconds(20));
  auto door = door_of(plan);
  with_two_nodes(door);
  for (int portion = 0; portion < 3; ++portion) say(door, 3 + portion);
  door.deliver(PeerId{3}, IdleNode{1, true});
  door.deliver(PeerId{3}, IdleNode{1, false});
  REQUIRE(door.fire_next());
  CHECK(door.sent<Drain>().empty());
}

TEST_CASE("a node that starts when all is done never begins, and no decision follows") {
  const NodePlan plan = plan_of("queue-length");
  auto door = door_of(plan);
  door.start();
  hand_in(door, 0, 4);
  REQUIRE(door.fire_next());
  say(door, 2);
  CHECK_FALSE(door.fire_next());
  CHECK(door.launched().empty());
}

TEST_CASE("the door ignores peers that it cannot reserve, and nodes that it does not hold") {
  const NodePlan plan = plan_of("formula");
  auto door = door_of(plan);
  door.start();
  door.deliver(PeerId{5}, Gone{0});
  CHECK(door.refused() == core::Drop::implausible);
  door.forget();
  door.deliver(PeerId{3}, Gone{0});  // not held
  door.deliver(PeerId{3}, IdleNode{0, true});
  door.deliver(PeerId{3}, Here{0});
  door.deliver(PeerId{2}, Gone{0});  // held, and not asked to leave
  CHECK(door.facts().empty());
}

TEST_CASE("a copy of a message from a former life of a node changes nothing") {
  const NodePlan plan = plan_of("queue-length");
  auto door = door_of(plan);
  with_two_nodes(door);
  for (int portion = 0; portion < 3; ++portion) say(door, 3 + portion);
  REQUIRE(door.fire_next());  // one task is left, for one node
  door.deliver(PeerId{3}, Gone{1});
  hand_in(door, 1, 9);
  REQUIRE(door.fire_next());
  REQUIRE(test::only<NodeReserved>(door.facts()).back() == NodeReserved{PeerId{3}});
  door.deliver(PeerId{3}, Here{1});  // it has not started again
  REQUIRE(door.fire_next());
  REQUIRE(door.launched() == std::vector{PeerId{3}, PeerId{3}});
  for (int portion = 0; portion < 9; ++portion) say(door, 103 + portion);
  REQUIRE(door.fire_next());
  CHECK(door.sent<Drain>().back().first == PeerId{2});  // the other one still starts
  door.deliver(PeerId{2}, Gone{1});
  CHECK(test::only<NodeReleased>(door.facts()).size() == 1);
  door.deliver(PeerId{2}, Gone{0});
  CHECK(test::only<NodeReleased>(door.facts()).size() == 2);
}

TEST_CASE("a node that is drained leaves with a last word, once its scheduler has nothing") {
  const NodePlan plan = plan_of("formula");
  auto node = node_of(plan, {1});
  node.start();
  CHECK(node.sent<Here>().size() == 1);
  say(node, 0);  // it was not asked
  CHECK_FALSE(node.quit());
  node.deliver(PeerId{0}, Drain{});
  node.deliver(PeerId{0}, Drain{});
  CHECK(node.peer().find<Mouth>()->asked == 1);
  CHECK_FALSE(node.quit());
  say(node, 0);
  CHECK(node.quit());
  CHECK(node.sent<Gone>().size() == 1);
}

TEST_CASE("only the controller that has reserved a node asks it to leave") {
  const NodePlan plan = plan_of("formula");
  auto node = node_of(plan);
  node.start();
  CHECK(node.sent<Here>().empty());  // it is there from the start, as is known
  node.deliver(PeerId{3}, Drain{});
  CHECK(node.refused() == core::Drop::implausible);
  CHECK(node.peer().find<Mouth>()->asked == 0);
}

TEST_CASE("a node on probation says when it is over, and when it has work again") {
  const NodePlan plan = plan_of("formula", seconds(20));
  auto node = node_of(plan);
  node.start();
  say(node, 1);
  CHECK(node.sent<IdleNode>().empty());
  say(node, 2);
  CHECK_FALSE(node.fire_next());  // too soon for a word of it
  say(node, 1);
  REQUIRE(node.fire_next());
  CHECK(node.now() == at(20));
  REQUIRE(node.sent<IdleNode>().size() == 1);
  CHECK(node.sent<IdleNode>().front().second.idle);
  say(node, 2);
  REQUIRE(node.sent<IdleNode>().size() == 2);
  CHECK_FALSE(node.sent<IdleNode>().back().second.idle);
}

}  // namespace rhizome::provision_test
