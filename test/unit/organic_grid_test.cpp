#include "agents/organic_grid/organic_grid.hpp"

#include <doctest/doctest.h>

#include "test/support/lone_peer.hpp"
#include "test/support/small_world.hpp"

namespace rhizome {

using agents::OrganicGrid;
using core::PeerId;
using test::LonePeer;
using test::small_world;
using namespace agents::grid;

namespace {

constexpr PeerId root{0};
constexpr PeerId me{1};
constexpr PeerId stranger{2};

LonePeer<OrganicGrid> started(PeerId id, const agents::World& world, const Options& options = {}) {
  LonePeer<OrganicGrid> peer(
      id, [&](core::Peer& bare) { agents::organic_grid().equip(bare, options, world); });
  peer.start();
  return peer;
}

// A peer that has joined the tree as a child of the root and asked it for work.
LonePeer<OrganicGrid> joined(const agents::World& world, const Options& options = {}) {
  auto peer = started(me, world, options);
  peer.deliver(root, Clone{root, {root}});
  return peer;
}

Supply supply(std::vector<agents::Task> tasks) {
  return {root, 0, tasks.size(), 0, {root}, std::move(tasks)};
}

}  // namespace

TEST_CASE("an idle peer of the Organic Grid asks its neighbours for work") {
  const agents::World world = small_world();
  auto peer = started(me, world);
  while (peer.sent<Ask>().empty()) REQUIRE(peer.fire_next());
  CHECK(peer.sent<Ask>().size() == world.graph.of(me).size());
}

TEST_CASE("a root with work clones itself to who asks and supplies what is demanded") {
  const agents::World world = small_world();
  auto peer = started(root, world);
  while (peer.facts().empty()) REQUIRE(peer.fire_next());  // until the job arrives
  peer.deliver(me, Ask{});
  REQUIRE(peer.sent<Clone>().size() == 1);
  CHECK(peer.sent<Clone>().front().first == me);
  peer.deliver(me, Demand{root, 0, 2});
  REQUIRE(peer.sent<Supply>().size() == 1);
  CHECK(peer.sent<Supply>().front().second.tasks.size() == 2);
  peer.deliver(me, Demand{root, 0, 2});  // the same total again is no new demand
  CHECK(peer.sent<Supply>().size() == 1);
}

TEST_CASE("a peer with a backlog takes on more children where they follow the load") {
  const agents::World world = small_world();
  for (const std::uint32_t widest : {0U, 24U}) {
    CAPTURE(widest);
    Options options;
    options.widest = widest;
    options.burst = options.metric_window = 1;  // 18 tasks are nine full windows
    auto peer = started(root, world, options);
    while (peer.facts().empty()) REQUIRE(peer.fire_next());
    for (std::uint32_t i = 1; i <= 20; ++i) peer.deliver(PeerId{i}, Ask{});
    CHECK(peer.sent<Clone>().size() == (widest == 0 ? options.max_potential : 8));
  }
}

TEST_CASE("a clone asks its parent for one task first") {
  const agents::World world = small_world();
  const auto peer = joined(world);
  REQUIRE(peer.sent<Demand>().size() == 1);
  CHECK(peer.sent<Demand>().front().first == root);
  CHECK(peer.sent<Demand>().front().second.demanded == 1);
}

TEST_CASE("a short supply is passed on as a deficit") {
  const agents::World world = small_world();
  auto peer = joined(world);
  peer.deliver(stranger, Ask{});  // nothing here yet, so it is remembered
  peer.deliver(root,
               supply({world.workload.jobs[0].portions[0], world.workload.jobs[0].portions[1]}));
  REQUIRE(peer.sent<Clone>().size() == 1);
  peer.forget();
  peer.deliver(stranger, Demand{root, 0, 4});
  CHECK(peer.sent<Supply>().size() == 1);  // the one task that is left
  REQUIRE_FALSE(peer.sent<Demand>().empty());
  CHECK(peer.sent<Demand>().back().second.demanded >= 2 + 3);
}

TEST_CASE("results go up in bursts, and none twice while the parent may still ask for it") {
  const agents::World world = small_world();
  Options options;
  options.burst = 2;
  auto peer = joined(world, options);
  const Results burst{root, 0, 0, 0, {{{0, 0}, stranger, 0}, {{0, 1}, stranger, 1}}};
  peer.deliver(root, supply({world.workload.jobs[0].portions[2]}));
  peer.forget();
  peer.deliver(stranger, burst);
  REQUIRE(peer.sent<Results>().size() == 1);
  CHECK(peer.sent<Results>().front().second.list.size() == 2);
  peer.deliver(stranger, burst);
  CHECK(peer.sent<Results>().size() == 1);
}

TEST_CASE("a result that comes back from above after a re-parenting is passed on again") {
  const agents::World world = small_world();
  Options options;
  options.burst = 1;
  auto peer = joined(world, options);
  const std::uint32_t epoch = peer.sent<Demand>().front().second.epoch;
  const Results burst{root, 0, 0, 0, {{{0, 0}, stranger, 0}}};
  peer.deliver(stranger, burst);
  REQUIRE(peer.sent<Results>().size() == 1);
  peer.deliver(root, AliveToo{root, epoch, 0, 1, {root}});  // the parent has it now
  peer.deliver(stranger, burst);
  CHECK(peer.sent<Results>().size() == 2);
}

TEST_CASE("the source counts a second result of a task as a duplicate") {
  const agents::World world = small_world();
  auto peer = started(root, world);
  while (peer.facts().empty()) REQUIRE(peer.fire_next());
  peer.forget();
  peer.deliver(me, Results{root, 0, 0, 0, {{{0, 5}, me, 0}}});
  peer.deliver(me, Results{root, 0, 1, 0, {{{0, 5}, stranger, 0}}});
  REQUIRE(peer.facts().size() == 2);
  CHECK(peer.facts()[0].name == agents::facts::task_completed);
  CHECK(peer.facts()[1].name == agents::facts::task_duplicate);
}

TEST_CASE("nobody adopts its own ancestor") {
  const agents::World world = small_world();
  auto peer = joined(world);
  peer.deliver(root, Adopt{root, 7});
  REQUIRE(peer.sent<Reject>().size() == 1);
  CHECK(peer.sent<Reject>().front().first == root);
  CHECK(peer.sent<Accept>().empty());
}

TEST_CASE("a peer that finds itself among its ancestors leaves its parent") {
  const agents::World world = small_world();
  auto peer = joined(world);
  Supply looped = supply({});
  looped.epoch = peer.sent<Demand>().front().second.epoch;
  looped.ancestors = {root, me};
  peer.forget();
  peer.deliver(root, looped);
  const auto& facts = peer.facts();
  const bool left = std::any_of(facts.begin(), facts.end(), [](const core::Fact& fact) {
    return fact.name == agents::facts::parent_changed && fact.reason == "cycle";
  });
  CHECK(left);
}

TEST_CASE("re-parenting commits on acceptance and only then leaves the old parent") {
  const agents::World world = small_world();
  auto peer = joined(world);
  peer.forget();
  peer.deliver(root, Move{root, stranger});
  REQUIRE(peer.sent<Adopt>().size() == 1);
  CHECK(peer.facts().empty());
  CHECK(peer.sent<Leave>().empty());
  const std::uint32_t epoch = peer.sent<Adopt>().front().second.epoch;
  peer.deliver(stranger, Accept{root, epoch, {stranger, root}});
  REQUIRE(peer.facts().size() == 1);
  CHECK(peer.facts().front().name == agents::facts::parent_changed);
  CHECK(peer.facts().front().other == stranger);
  REQUIRE(peer.sent<Leave>().size() == 1);
  CHECK(peer.sent<Leave>().front().first == root);
}

TEST_CASE("a tree that has ended is answered with a farewell") {
  const agents::World world = small_world();
  auto peer = joined(world);
  peer.deliver(root, Terminate{{root}});
  CHECK(peer.finished());
  CHECK(peer.timers().empty());
  peer.forget();
  peer.deliver(stranger, Adopt{root, 1});
  CHECK(peer.sent<Terminate>().size() == 1);
}

}  // namespace rhizome
