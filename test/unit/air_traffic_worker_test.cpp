#include <doctest/doctest.h>

#include "agents/facts.hpp"
#include "test/support/air_traffic.hpp"

namespace rhizome::air_traffic_worker_test {

using core::PeerId;
using test::Controller;
using test::count_facts;
using test::done;
using test::groups;
using test::let_pass;
using test::queue;
using test::small_world;
using test::started;
using namespace agents::traffic;
using namespace test::one_group;
namespace {

test::World five() { return small_world({.peers = 5}); }

Roster roster(std::uint64_t epoch, std::vector<Member> members) {
  return {epoch, std::move(members), {}, {}};
}

// A worker whose leader has been silent for `silence`.
Controller orphan(const test::World& world, const Options& options, core::Duration silence) {
  auto peer = started(worker, world, options);
  peer.deliver(leader, roster(5, {{worker, 1}}));
  let_pass(peer, silence);
  return peer;
}

}  // namespace

TEST_CASE("a worker executes a task once and repeats its result") {
  const test::World world = five();
  auto peer = started(worker, world, groups(1));
  const agents::Task task = world.workload.jobs[0].portions[0];
  peer.deliver(leader, Assign{{task}});
  peer.deliver(leader, Assign{{task}});
  REQUIRE(peer.works().size() == 1);
  REQUIRE(peer.complete_next());
  peer.deliver(leader, Assign{{task}});
  CHECK(peer.works().empty());
  CHECK(peer.sent<Done>().size() == 2);
}

TEST_CASE("a worker reports each piece of work by itself, also when bundled") {
  test::World world = five();
  world.capacities[worker.value].slots = 2;
  Options options = groups(1);
  options.bundled = true;
  auto peer = started(worker, world, options);
  const auto& tasks = world.workload.jobs[0].portions;
  peer.deliver(leader, Assign{{tasks[0], tasks[1]}});
  REQUIRE(peer.works().size() == 2);
  peer.complete_next();
  CHECK(peer.sent<Done>().size() == 1);
  peer.complete_next();
  CHECK(peer.sent<Done>().size() == 2);
}

TEST_CASE("a worker does nothing for a leader that is not its own") {
  const test::World world = five();
  auto peer = started(worker, world, groups(1));
  peer.deliver(third_worker, Assign{{world.workload.jobs[0].portions[0]}});
  CHECK(peer.works().empty());
}

TEST_CASE("a worker that is moved tells its new leader at once") {
  const test::World world = five();
  auto peer = started(worker, world, groups(1));
  peer.deliver(leader, Follow{third_worker, 2});
  REQUIRE(peer.sent<WorkerAlive>().size() == 1);
  CHECK(peer.sent<WorkerAlive>().front().first == third_worker);
  CHECK(peer.sent<WorkerAlive>().front().second.epoch == 2);
}

TEST_CASE("the later epoch of two orders to follow holds, in whatever order they arrive") {
  const test::World world = five();
  auto peer = started(worker, world, groups(1));
  peer.deliver(leader, Follow{third_worker, 3});
  peer.deliver(leader, Follow{second_worker, 2});
  CHECK(peer.protocol().follows() == third_worker);
  peer.deliver(leader, Follow{second_worker, 3});  // once more, or of two at the same time
  CHECK(peer.protocol().follows() == third_worker);
}

TEST_CASE("only a leader itself shows that it lives, not a peer that refers workers to it") {
  const test::World world = five();
  const Options options = groups(1);
  for (const PeerId from : {second_worker, leader}) {
    auto peer = started(worker, world, options);
    let_pass(peer, options.timeout * 3 / 2);
    peer.deliver(from, Follow{leader, 5});
    let_pass(peer, options.timeout);
    CHECK(peer.protocol().follows() == (from == leader ? leader : core::no_peer));
  }
}

TEST_CASE("an order to lead that is older than the worker's group is ignored") {
  const test::World world = five();
  auto peer = started(worker, world, groups(1));
  peer.deliver(leader, Follow{third_worker, 3});
  peer.deliver(leader, Lead{3, {{second_worker, 1}}});
  CHECK(peer.protocol().leader() == nullptr);
  peer.deliver(third_worker, Lead{4, {{second_worker, 1}}});
  CHECK(peer.protocol().leader() != nullptr);
}

TEST_CASE("a roster of another leader or of an older epoch is ignored") {
  const test::World world = five();
  const Options options = groups(1);
  auto peer = started(worker, world, options);
  peer.deliver(leader, roster(3, {{worker, 1}, {second_worker, 1}}));
  peer.deliver(leader, roster(2, {{worker, 1}, {third_worker, 1}}));
  peer.deliver(second_worker, roster(9, {{worker, 1}, {third_worker, 1}}));
  CHECK(peer.protocol().follows() == leader);
  let_pass(peer, 2 * options.timeout);
  REQUIRE(peer.sent<Follow>().size() == 1);  // it claims the group that it knows
  CHECK(peer.sent<Follow>().front().first == second_worker);
  CHECK(peer.sent<Follow>().front().second.epoch == 4);
}

TEST_CASE("the first in line claims the group of a silent leader, each next one later") {
  const test::World world = five();
  const Options options = groups(1);
  const auto claims_within = [&](PeerId id, core::Duration silence) {
    auto peer = started(id, world, options);
    peer.deliver(leader, roster(1, {{worker, 1}, {second_worker, 1}, {third_worker, 1}}));
    let_pass(peer, silence);
    return peer.protocol().leader() != nullptr;
  };
  const core::Duration beat = options.heartbeat();
  CHECK_FALSE(claims_within(worker, options.timeout));
  CHECK(claims_within(worker, options.timeout + beat));
  CHECK_FALSE(claims_within(second_worker, options.timeout + beat));
  CHECK(claims_within(second_worker, options.timeout + 2 * beat));
  CHECK_FALSE(claims_within(third_worker, options.timeout + 2 * beat));
  CHECK(claims_within(third_worker, options.timeout + 3 * beat));
}

TEST_CASE("a peer that claims a group tells its members and its neighbours, and the queue") {
  const test::World world = five();
  const Options options = groups(1);
  auto peer = started(worker, world, options);
  peer.deliver(leader, Roster{2, {{worker, 1}, {second_worker, 1}}, {third_worker}, {}});
  for (int i = 0; i < 40 && peer.sent<Follow>().empty(); ++i) REQUIRE(peer.fire_next());
  REQUIRE(peer.sent<Follow>().size() == 1);
  CHECK(peer.sent<Follow>().front().first == second_worker);
  CHECK(peer.sent<Follow>().front().second.leader == worker);
  REQUIRE(peer.sent<Linked>().size() == 1);
  CHECK(peer.sent<Linked>().front().first == third_worker);
  let_pass(peer, options.heartbeat());
  CHECK_FALSE(peer.sent<Bereaved>().empty());
}

// Once a worker without a group refused a roster of its own or an older epoch for ever.
TEST_CASE("a worker without a group follows the leader it is referred to, whatever its epoch was") {
  const test::World world = five();
  const Options options = groups(1);
  auto peer = started(worker, world, options);
  peer.deliver(leader, Follow{second_worker, 9});
  let_pass(peer, 3 * options.timeout);  // without a roster it claims nothing
  REQUIRE_FALSE(peer.sent<Join>().empty());
  CHECK(peer.sent<Join>().front().first == queue);
  peer.forget();
  peer.deliver(queue, Refer{third_worker});
  CHECK(peer.protocol().follows() == third_worker);
  REQUIRE(peer.sent<WorkerAlive>().size() == 1);
  CHECK(peer.sent<WorkerAlive>().front().second.epoch == 10);
}

TEST_CASE("a second answer of the queue does not move a worker that has found its group") {
  const test::World world = five();
  auto peer = started(worker, world, groups(1));
  peer.deliver(queue, Refer{third_worker});
  CHECK(peer.protocol().follows() == leader);
}

TEST_CASE("a peer that no longer leads names the leader, and returns jobs that were not for it") {
  const test::World world = five();
  auto peer = started(worker, world, groups(1));
  peer.deliver(leader, Follow{third_worker, 7});
  peer.forget();
  peer.deliver(second_worker, WorkerAlive{1, 6, {}});
  REQUIRE(peer.sent<Follow>().size() == 1);
  CHECK(peer.sent<Follow>().front().second.leader == third_worker);
  peer.deliver(second_worker, Linked{});
  REQUIRE(peer.sent<Unlinked>().size() == 1);
  CHECK(peer.sent<Unlinked>().front().second.instead == third_worker);
  peer.deliver(second_worker, MergeAsk{});
  CHECK(peer.sent<MergeRefuse>().size() == 1);
  peer.deliver(queue, Portion{4, 0, 1, {world.workload.jobs[0].portions[0]}});
  CHECK(peer.sent<Return>().size() == 1);
  peer.deliver(second_worker, done({0, 0}, second_worker));
  REQUIRE(peer.sent<Done>().size() == 1);
  CHECK(peer.sent<Done>().front().first == queue);
}

// When two leaders restarted at the same time, they once split the graph for good, because no
// leader missed their edges.
TEST_CASE("a peer that has not led in this life cannot tell which leader has its edges") {
  const test::World world = five();
  auto peer = started(worker, world, groups(1), {1});
  peer.deliver(queue, Refer{leader});
  peer.deliver(second_worker, Linked{});
  REQUIRE(peer.sent<Unlinked>().size() == 1);
  CHECK(peer.sent<Unlinked>().back().second.instead == core::no_peer);
  SUBCASE("until it leads") {
    peer.deliver(leader, Lead{9, {}});
    peer.deliver(leader, MergeAsk{});
    peer.deliver(queue, Withdrawn{peer.sent<Withdraw>().back().second.ticket});
    peer.deliver(leader, MergeCommit{10});
    REQUIRE(peer.protocol().leader() == nullptr);
    peer.deliver(second_worker, Linked{});
    CHECK(peer.sent<Unlinked>().back().second.instead == leader);
  }
}

TEST_CASE("a peer gives the queue up once all others doubt too, and says why") {
  const test::World world = five();
  const Options options = groups(1);
  auto peer = orphan(world, options, options.patience() + options.timeout);
  CHECK_FALSE(peer.sent<Doubt>().empty());
  CHECK_FALSE(peer.finished());
  for (const PeerId other : {leader, second_worker, third_worker}) peer.deliver(other, Doubt{});
  let_pass(peer, options.heartbeat());
  CHECK(peer.finished());
  CHECK(count_facts<agents::RunFailed>(peer) == 1);
  CHECK(peer.timers().empty());
}

TEST_CASE("no peer gives up while some peer may be with the queue, behind a cut") {
  const test::World world = five();
  const Options options = groups(1);
  auto peer = orphan(world, options, options.patience());
  core::Duration waited{};
  for (; waited < options.longest_cut - options.timeout; waited += options.heartbeat()) {
    for (const PeerId other : {leader, second_worker}) peer.deliver(other, Doubt{});
    let_pass(peer, options.heartbeat());
  }
  CHECK_FALSE(peer.finished());
  let_pass(peer, 2 * options.timeout);
  CHECK(peer.finished());
}

TEST_CASE("news of the queue end all doubt, also when they come by the leader") {
  const test::World world = five();
  const Options options = groups(1);
  auto peer = orphan(world, options, options.patience() + options.timeout);
  REQUIRE(peer.protocol().leader() != nullptr);
  peer.deliver(queue, QueueAlive{});
  peer.forget();
  for (const PeerId other : {leader, second_worker, third_worker}) peer.deliver(other, Doubt{});
  let_pass(peer, options.timeout);
  CHECK(peer.sent<Doubt>().empty());
  CHECK_FALSE(peer.finished());

  auto follower = started(second_worker, world, options);
  for (int i = 0; i < 60; ++i) {
    let_pass(follower, options.heartbeat());
    follower.deliver(leader, roster(1, {{second_worker, 1}}));
  }
  CHECK(follower.sent<Doubt>().empty());
}

TEST_CASE("a peer that hears the queue does not obey peers that gave it up") {
  const test::World world = five();
  auto peer = started(worker, world, groups(1));
  peer.deliver(leader, Terminate{true});
  CHECK_FALSE(peer.finished());
  peer.deliver(leader, Terminate{false});
  CHECK(peer.finished());
}

TEST_CASE("a worker believes no message that cannot be true") {
  const test::World world = five();
  auto peer = started(worker, world, groups(1));
  agents::Task stranger = world.workload.jobs[0].portions[0];
  stranger.id.job = 7;
  peer.deliver(leader, Assign{{stranger}});
  agents::Task wrong = world.workload.jobs[0].portions[0];
  wrong.duration = -wrong.duration;
  peer.deliver(leader, Assign{{wrong}});
  CHECK(peer.works().empty());
  peer.deliver(leader, Follow{PeerId{5}, 9});
  peer.deliver(leader, Follow{core::no_peer, 9});
  CHECK(peer.protocol().follows() == leader);
  peer.deliver(leader, Lead{9, {{PeerId{5}, 1}}});
  peer.deliver(leader, Lead{9, {{second_worker, 4'000'000'000}}});
  CHECK(peer.protocol().leader() == nullptr);
}

}  // namespace rhizome::air_traffic_worker_test
