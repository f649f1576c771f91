#include <doctest/doctest.h>

#include <vector>

#include "agents/organic_grid/organic_grid.hpp"
#include "agents/schedulers.hpp"
#include "test/support/grid_peer.hpp"
#include "test/support/lone_peer.hpp"
#include "test/support/small_world.hpp"

namespace rhizome::hybrid_test {

using agents::OrganicGrid;
using core::PeerId;
using test::LonePeer;
using test::small_world;
using namespace agents::grid;

namespace {

constexpr PeerId root{0};
constexpr PeerId me{1};
constexpr PeerId worker{2};
constexpr PeerId stranger{3};

Options one_worker() {
  Options options = hybrid_defaults();
  options.group = 1;
  return options;
}

LonePeer<OrganicGrid> started(const agents::World& world, const Options& options) {
  LonePeer<OrganicGrid> peer(
      me, [&](core::Peer& bare) { agents::hybrid().equip(bare, options, world); });
  peer.start();
  return peer;
}

agents::Task task(std::uint32_t portion) {
  return {.id = {0, portion}, .duration = std::chrono::milliseconds(100)};
}

// A node of the tree that holds three tasks, one of which it runs.
LonePeer<OrganicGrid> leader(const agents::World& world, const Options& options) {
  auto peer = started(world, options);
  peer.deliver(root, Clone{root, {}, {root}});
  peer.deliver(root, Supply{root, 1, 0, 0, {}, {root}, {task(0), task(1), task(2)}});
  return peer;
}

}  // namespace

TEST_CASE("a leader invites a peer that asks, and a worker that answers is handed a task") {
  const agents::World world = small_world();
  auto peer = leader(world, one_worker());
  peer.deliver(worker, Ask{});
  REQUIRE(peer.sent<Enlist>().size() == 1);
  CHECK(peer.sent<Clone>().empty());
  CHECK(peer.sent<Assign>().empty());
  peer.deliver(worker, Enlisted{1, {1, 1.0}});
  REQUIRE(peer.sent<Assign>().size() == 1);
  CHECK(peer.sent<Assign>().front().first == worker);
}

TEST_CASE("a peer that asks a full group becomes a child in the tree") {
  const agents::World world = small_world();
  auto peer = leader(world, one_worker());
  peer.deliver(worker, Ask{});
  peer.deliver(stranger, Ask{});
  CHECK(peer.sent<Enlist>().size() == 1);
  REQUIRE(peer.sent<Clone>().size() == 1);
  CHECK(peer.sent<Clone>().front().first == stranger);
}

TEST_CASE("a worker's result goes up with the worker as its executor") {
  const agents::World world = small_world();
  auto peer = leader(world, one_worker());
  peer.deliver(worker, Ask{});
  peer.deliver(worker, Enlisted{1, {1, 1.0}});
  const agents::TaskId given = peer.sent<Assign>().front().second.task.id;
  peer.deliver(worker, Done{1, {given}, 1});
  while (peer.sent<Results>().empty()) REQUIRE(peer.fire_next());
  CHECK(peer.sent<Results>().front().second.list.front() == Result{{given}, worker});
}

TEST_CASE("a silent worker's task is handed out again") {
  const agents::World world = small_world();
  auto peer = leader(world, one_worker());
  peer.deliver(worker, Ask{});
  peer.deliver(worker, Enlisted{1, {1, 1.0}});
  const auto reissued = [&] {
    return test::count_facts<agents::TaskReissued>(peer, "dead worker") > 0;
  };
  while (!reissued() && peer.now() < core::Time{} + std::chrono::seconds(5)) {
    peer.deliver(root, AliveToo{root, 1, 0, {}, {root}});
    REQUIRE(peer.fire_next());
  }
  CHECK(reissued());
  CHECK(peer.protocol().group().empty());
}

TEST_CASE("a task that its worker denies after half a time-out is assigned to it once more") {
  const agents::World world = small_world();
  auto peer = leader(world, one_worker());
  peer.deliver(worker, Ask{});
  peer.deliver(worker, Enlisted{1, {1, 1.0}});
  const agents::TaskId given = peer.sent<Assign>().front().second.task.id;
  peer.pass(one_worker().heartbeat() * 2);
  peer.deliver(worker, WorkerAlive{1, {}});
  CHECK(peer.sent<Assign>().size() == 1);  // it may still be on its way, or the answer
  peer.pass(std::chrono::milliseconds(1));
  peer.deliver(worker, WorkerAlive{1, {given}});
  CHECK(peer.sent<Assign>().size() == 1);
  peer.deliver(worker, WorkerAlive{1, {}});
  REQUIRE(peer.sent<Assign>().size() == 2);
  CHECK(peer.sent<Assign>().back().first == worker);
  CHECK(peer.sent<Assign>().back().second.task.id == given);
  CHECK(test::count_facts<agents::TaskReissued>(peer) == 0);
}

TEST_CASE("a request that a worker sent before it joined is no news of a restart") {
  const agents::World world = small_world();
  auto peer = leader(world, one_worker());
  peer.deliver(worker, Ask{.epoch = 4});
  peer.deliver(worker, Ask{.epoch = 4});  // invited once more
  CHECK(peer.sent<Enlist>().size() == 2);
  peer.deliver(worker, Enlisted{5, {1, 1.0}});
  REQUIRE(peer.sent<Assign>().size() == 1);
  peer.deliver(worker, Ask{.epoch = 4});
  CHECK(test::count_facts<agents::TaskReissued>(peer) == 0);
  peer.deliver(worker, Ask{.epoch = 5});  // it has left us
  CHECK(test::count_facts<agents::TaskReissued>(peer, "restart") == 1);
}

TEST_CASE("a refusal of an earlier invitation does not end a stay, and one of this stay does") {
  const agents::World world = small_world();
  auto peer = leader(world, one_worker());
  peer.deliver(worker, Ask{.epoch = 4});
  peer.deliver(worker, Enlisted{5, {1, 1.0}});
  peer.deliver(worker, Dismiss{4});
  CHECK_FALSE(peer.protocol().group().empty());
  CHECK(test::count_facts<agents::TaskReissued>(peer) == 0);
  peer.deliver(worker, Dismiss{5});
  CHECK(peer.protocol().group().empty());
  CHECK(test::count_facts<agents::TaskReissued>(peer, "refused") == 1);
}

TEST_CASE("a worker is invited twice and stays, and messages of another stay are ignored") {
  const agents::World world = small_world();
  auto peer = started(world, one_worker());
  peer.deliver(root, Enlist{});
  peer.deliver(root, Assign{1, task(6)});
  peer.deliver(root, Enlist{});
  REQUIRE(peer.sent<Enlisted>().size() == 2);
  CHECK(peer.sent<Enlisted>().back().second.epoch == 1);
  peer.deliver(root, Dismiss{0});
  peer.deliver(root, Assign{7, task(8)});
  CHECK(peer.protocol().leader() == root);
  CHECK(peer.works().size() == 1);
}

TEST_CASE("a worker runs the tasks that its leader assigns, and no others") {
  const agents::World world = small_world();
  auto peer = started(world, one_worker());
  peer.deliver(root, Enlist{});
  REQUIRE(peer.sent<Enlisted>().size() == 1);
  peer.deliver(stranger, Assign{1, task(5)});
  CHECK(peer.works().empty());
  peer.deliver(root, Assign{1, task(6)});
  peer.deliver(root, Assign{1, task(6)});
  REQUIRE(peer.works().size() == 1);
  REQUIRE(peer.complete_next());
  REQUIRE(peer.sent<Done>().size() == 1);
  CHECK(peer.sent<Done>().front().second.task == agents::TaskId{0, 6});
}

// The worker once ran on after the end of its run, and an invitation woke it again.
TEST_CASE("a worker that knows of the end begins nothing, stays at rest, and tells its leader") {
  const agents::World world = small_world();
  auto peer = started(world, one_worker());
  peer.deliver(root, Enlist{});
  peer.deliver(stranger, Terminate{{root}});
  REQUIRE(peer.finished());
  peer.forget();
  SUBCASE("a task comes") { peer.deliver(root, Assign{1, task(6)}); }
  SUBCASE("an invitation comes once more") { peer.deliver(root, Enlist{}); }
  CHECK(peer.finished());
  CHECK(peer.works().empty());
  CHECK(peer.timers().empty());
  CHECK(peer.sent<Enlisted>().empty());
  REQUIRE(peer.sent<Terminate>().size() == 1);
  CHECK(peer.sent<Terminate>().front().first == root);
}

TEST_CASE("a worker that is invited twice stays, although one of two trees has ended meanwhile") {
  const agents::World world = small_world();
  Options options = one_worker();
  options.roots = 2;
  const std::vector<PeerId> roots = agents::grid_roots(options, world);
  const PeerId other_root = roots.back();
  const PeerId self = other_root == me ? worker : me;
  LonePeer<OrganicGrid> peer(
      self, [&](core::Peer& bare) { agents::hybrid().equip(bare, options, world); });
  peer.start();
  peer.deliver(root, Enlist{});
  peer.deliver(stranger, Terminate{{other_root}});
  REQUIRE_FALSE(peer.finished());
  peer.deliver(root, Enlist{});
  CHECK(peer.sent<Dismiss>().empty());
  CHECK(peer.sent<Enlisted>().size() == 2);
}

TEST_CASE("a worker takes no second leader, joins no tree, and refers requests to its leader") {
  const agents::World world = small_world();
  auto peer = started(world, one_worker());
  peer.deliver(root, Enlist{});
  peer.deliver(stranger, Enlist{});
  REQUIRE(peer.sent<Dismiss>().size() == 1);
  CHECK(peer.sent<Dismiss>().front().first == stranger);
  peer.deliver(stranger, Clone{root, {}, {stranger}});
  CHECK(peer.sent<Decline>().size() == 1);
  peer.deliver(stranger, Ask{});
  REQUIRE(peer.sent<Refer>().size() == 1);
  CHECK(peer.sent<Refer>().front().second.to == root);
}

TEST_CASE("a dismissed worker stops, and asks for work again") {
  const agents::World world = small_world();
  auto peer = started(world, one_worker());
  peer.deliver(root, Enlist{});
  peer.deliver(root, Assign{1, task(1)});
  peer.forget();
  peer.deliver(root, Dismiss{1});
  CHECK(peer.sent<Ask>().size() == world.graph.of(me).size());
  CHECK(peer.protocol().leader() == core::no_peer);
}

TEST_CASE("a worker is handed one task for each slot, and tasks ahead") {
  const agents::World world = small_world();
  for (const std::uint32_t ahead : {0U, 1U}) {
    CAPTURE(ahead);
    Options options = one_worker();
    options.ahead = ahead;
    auto peer = leader(world, options);
    peer.deliver(worker, Ask{});
    peer.deliver(worker, Enlisted{1, {1, 1.0}});
    CHECK(peer.sent<Assign>().size() == 1 + ahead);
  }
}

TEST_CASE("a task assigned once more after it was done is not run again, but reported again") {
  const agents::World world = small_world();
  auto peer = started(world, one_worker());
  peer.deliver(root, Enlist{});
  peer.deliver(root, Assign{1, task(6)});
  REQUIRE(peer.complete_next());
  peer.deliver(root, Assign{1, task(6)});
  CHECK(peer.works().empty());
  CHECK(peer.sent<Done>().size() == 2);
}

TEST_CASE("a leader tells its workers its news of the root") {
  const agents::World world = small_world();
  auto peer = leader(world, one_worker());
  peer.deliver(worker, Ask{});
  peer.deliver(worker, Enlisted{1, {1, 1.0}});
  peer.pass(std::chrono::seconds(1));
  peer.deliver(worker, WorkerAlive{1, {}});
  REQUIRE(peer.sent<LeaderAlive>().size() == 1);
  const auto told = peer.sent<LeaderAlive>().front().second.sightings;
  REQUIRE(told.size() == 1);
  CHECK(told.front().root == root);
  CHECK(told.front().age == core::Duration(std::chrono::seconds(1)));
}

TEST_CASE("a leader that gives up sends its workers away") {
  const agents::World world = small_world();
  auto peer = leader(world, one_worker());
  peer.deliver(worker, Ask{});
  peer.deliver(worker, Enlisted{1, {1, 1.0}});
  const agents::TaskId given = peer.sent<Assign>().front().second.task.id;
  for (int i = 0; i < 100 && !peer.finished(); ++i) {
    peer.deliver(worker, WorkerAlive{1, {given}});
    test::live(peer, std::chrono::milliseconds(500));
  }
  CHECK(peer.finished());
  REQUIRE(peer.sent<Dismiss>().size() == 1);
  CHECK(peer.sent<Dismiss>().front().first == worker);
  CHECK(peer.protocol().group().empty());
}

TEST_CASE("results of a worker and of the agent that it became later all count") {
  const agents::World world = small_world();
  LonePeer<OrganicGrid> source(
      root, [&](core::Peer& bare) { agents::hybrid().equip(bare, one_worker(), world); });
  source.start();
  test::hand_in(source, agents::hybrid(), one_worker(), world);
  source.deliver(me, Ask{});
  source.deliver(me, Results{root, 1, 0, 0, 0, {{{0, 3}, worker}}});  // worked for it
  source.deliver(me, Results{root, 1, 1, 0, 0, {{{0, 4}, worker}}});  // was its child
  CHECK(test::count_facts<agents::TaskCompleted>(source) == 2);
}

}  // namespace rhizome::hybrid_test
