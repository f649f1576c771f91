// How work and results flow through one agent of the Organic Grid.
#include <doctest/doctest.h>

#include <set>

#include "test/support/grid_peer.hpp"

namespace rhizome::work_test {

using namespace agents::grid;
using namespace std::chrono_literals;
using core::PeerId;
using test::alive_too;
using test::count_facts;
using test::grid_peer;
using test::GridPeer;
using test::joined;
using test::me;
using test::root;
using test::small_world;
using test::supply;
using test::take_on;
using test::task;
using test::tasks;
using test::working_root;

namespace {

constexpr PeerId child{2};
constexpr PeerId sibling{3};

std::uint64_t last_demand(const GridPeer& peer) {
  REQUIRE_FALSE(peer.sent<Demand>().empty());
  return peer.sent<Demand>().back().second.demanded;
}

}  // namespace

TEST_CASE("an idle peer of the Organic Grid asks its neighbours for work, and never itself") {
  const agents::World world = small_world();
  auto peer = grid_peer(me, world);
  test::live(peer, 60s);
  REQUIRE_FALSE(peer.sent<Ask>().empty());
  std::set<PeerId> asked;
  for (const auto& [to, message] : peer.sent<Ask>()) asked.insert(to);
  CHECK(asked == std::set<PeerId>{root, child, sibling});
}

TEST_CASE("a peer that gets no work asks again, less and less often") {
  const agents::World world = small_world();
  Options options;
  options.ask_again = 2s;
  auto peer = grid_peer(me, world, options);
  test::live(peer, 1s);
  CHECK(peer.sent<Ask>().size() == 3);
  test::live(peer, 2s);
  const std::size_t asked = peer.sent<Ask>().size();
  CHECK(asked >= 6);
  test::live(peer, 2s);
  CHECK(peer.sent<Ask>().size() == asked);
}

TEST_CASE("a root with work clones itself to a peer that asks and supplies its demand") {
  const agents::World world = small_world();
  auto peer = working_root(world);
  peer.deliver(me, Ask{});
  REQUIRE(peer.sent<Clone>().size() == 1);
  CHECK(peer.sent<Clone>().front().first == me);
  peer.deliver(me, Demand{root, 1, 2, 0});
  REQUIRE(peer.sent<Supply>().size() == 1);
  CHECK(peer.sent<Supply>().front().second.tasks.size() == 2);
  CHECK(peer.sent<Supply>().front().second.units() == 2);
  peer.deliver(me, Demand{root, 1, 2, 0});  // the same total again is no new demand
  CHECK(peer.sent<Supply>().size() == 1);
  peer.deliver(me, Demand{root, 1, 5, 2});
  REQUIRE(peer.sent<Supply>().size() == 2);
  CHECK(peer.sent<Supply>().back().second.tasks.size() == 3);
  CHECK(peer.sent<Supply>().back().second.first == 2);
}

TEST_CASE("work that enters at several peers has a tree at each") {
  const agents::World world = small_world({.jobs = 4, .portions = 2, .peers = 4});
  Options options;
  options.roots = 4;
  for (std::uint32_t i = 0; i < 4; ++i) {
    auto peer = grid_peer(PeerId{i}, world, options);
    test::live(peer, 50ms);
    CHECK(count_facts<agents::TaskSubmitted>(peer) == 2);
  }
}

TEST_CASE("a peer with a backlog takes on more children where they follow the load") {
  const agents::World world = small_world({.peers = 21});
  for (const std::uint32_t widest : {0U, 24U}) {
    CAPTURE(widest);
    Options options;
    options.widest = widest;
    options.burst = options.metric_window = 1;  // 18 tasks are nine full windows
    auto peer = working_root(world, options);
    for (std::uint32_t i = 1; i <= 20; ++i) peer.deliver(PeerId{i}, Ask{});
    CHECK(peer.sent<Clone>().size() == (widest == 0 ? options.max_potential : 8));
  }
}

TEST_CASE("a clone asks its parent for one task first, or for as many as it is to steal") {
  const agents::World world = small_world();
  CHECK(last_demand(joined(world)) == 1);
  Options options;
  options.steal_more = 3;
  CHECK(last_demand(joined(world, options)) == 3);
}

TEST_CASE("a peer asks for more while it works, unless it does not prefetch") {
  const agents::World world = small_world();
  for (const bool prefetch : {true, false}) {
    CAPTURE(prefetch);
    Options options;
    options.prefetch = prefetch;
    auto peer = joined(world, options);
    peer.deliver(root, supply({task(0)}));
    CHECK(last_demand(peer) == (prefetch ? 2 : 1));
    REQUIRE(peer.complete_next());
    REQUIRE(peer.sent<Results>().size() == 1);
    CHECK(peer.sent<Results>().front().second.demanded == 2);
  }
}

TEST_CASE("a peer that does not prefetch asks for one task more for a peer that asked in vain") {
  const agents::World world = small_world();
  for (const bool prefetch : {true, false}) {
    CAPTURE(prefetch);
    Options options;
    options.prefetch = prefetch;
    auto peer = joined(world, options);
    peer.deliver(root, supply({task(0)}));
    peer.deliver(child, Ask{});
    const std::uint64_t before = last_demand(peer);
    CHECK(peer.sent<Clone>().empty());
    REQUIRE(peer.complete_next());
    const std::uint64_t after = peer.sent<Results>().back().second.demanded;
    CHECK(after == (prefetch ? before : before + 2));
    peer.deliver(root, supply({task(1), task(2)}, 1));
    REQUIRE(peer.sent<Clone>().size() == 1);
    CHECK(peer.sent<Clone>().front().first == child);
  }
}

TEST_CASE("a peer that does not prefetch asks for no task for a peer of the same tree") {
  const agents::World world = small_world();
  Options options;
  options.prefetch = false;
  auto peer = joined(world, options);
  REQUIRE(last_demand(peer) == 1);
  peer.deliver(sibling, Ask{.serving = {root}});
  CHECK(last_demand(peer) == 1);
  peer.deliver(child, Ask{});  // which may become a child
  CHECK(last_demand(peer) == 2);
}

TEST_CASE("a short supply is passed on as a deficit") {
  const agents::World world = small_world();
  auto peer = joined(world);
  peer.deliver(root, supply(tasks(0, 2)));
  peer.deliver(child, Ask{});
  peer.forget();
  peer.deliver(child, Demand{root, 1, 4, 0});
  REQUIRE(peer.sent<Supply>().size() == 1);
  CHECK(peer.sent<Supply>().front().second.tasks.size() == 1);  // the one that is left
  CHECK(last_demand(peer) >= 2 + 3);
}

TEST_CASE("a supply of several tasks counts as so many") {
  const agents::World world = small_world();
  Options options;
  options.steal_more = 4;
  auto peer = joined(world, options);
  peer.forget();
  peer.deliver(root, supply(tasks(0, 4)));
  REQUIRE(peer.complete_next());
  CHECK(last_demand(peer) == 4 + 2);  // two of four are left
}

TEST_CASE("a supply that comes twice is executed once") {
  const agents::World world = small_world();
  auto peer = joined(world);
  peer.deliver(root, supply({task(0)}));
  peer.deliver(root, supply({task(0)}));
  while (peer.complete_next()) continue;
  CHECK(count_facts<agents::TaskExecuted>(peer) == 1);
}

TEST_CASE("a supply of a stay that has ended is not executed") {
  const agents::World world = small_world();
  auto peer = joined(world);
  Supply late = supply({task(0)});
  late.epoch = 7;
  peer.deliver(root, late);
  peer.deliver(child, supply({task(1)}));
  CHECK(peer.works().empty());
}

TEST_CASE("a lost supply is sent again once its child would have confirmed it") {
  const agents::World world = small_world();
  const Options options;
  auto peer = working_root(world);
  take_on(peer, me);
  peer.deliver(me, Demand{root, 1, 2, 0});
  peer.pass(options.timeout / 2);
  peer.deliver(me, Alive{root, 1, 2, 0});  // may have been sent before the supply came
  CHECK(peer.sent<Supply>().size() == 1);
  peer.pass(1ms);
  peer.deliver(me, Alive{root, 1, 2, 0});
  REQUIRE(peer.sent<Supply>().size() == 2);
  CHECK(peer.sent<Supply>().back().second.first == 0);
  CHECK(peer.sent<Supply>().back().second.tasks.size() == 2);
  peer.deliver(me, Alive{root, 1, 2, 0});  // it has just been sent
  CHECK(peer.sent<Supply>().size() == 2);
}

TEST_CASE("a supply that was confirmed is never sent again") {
  const agents::World world = small_world();
  auto peer = working_root(world);
  take_on(peer, me);
  peer.deliver(me, Demand{root, 1, 2, 0});
  peer.pass(1s);
  peer.deliver(me, Alive{root, 1, 2, 2});
  peer.pass(1500ms);
  peer.deliver(me, Alive{root, 1, 2, 2});
  CHECK(peer.sent<Supply>().size() == 1);
}

TEST_CASE("a child tells with every demand what it has received") {
  const agents::World world = small_world();
  auto peer = joined(world);
  peer.deliver(root, supply({task(0)}));
  CHECK(peer.sent<Demand>().back().second.received == 1);
}

TEST_CASE("results go up in bursts, each once") {
  const agents::World world = small_world();
  for (const std::uint32_t burst : {2U, 3U}) {
    CAPTURE(burst);
    Options options;
    options.burst = burst;
    auto peer = joined(world, options);
    peer.deliver(root, supply(tasks(0, 2)));
    take_on(peer, child);
    peer.forget();
    for (std::uint32_t i = 0; i + 1 < burst; ++i)
      peer.deliver(child, Results{root, 1, i, 0, 0, {{{0, 10 + i}, child}}});
    CHECK(peer.sent<Results>().empty());
    const Results last{root, 1, burst - 1, 0, 0, {{{0, 9 + burst}, child}}};
    peer.deliver(child, last);
    REQUIRE(peer.sent<Results>().size() == 1);
    CHECK(peer.sent<Results>().front().second.list.size() == burst);
    peer.deliver(child, last);
    CHECK(peer.sent<Results>().size() == 1);
  }
}

TEST_CASE("unacknowledged results go up again, and acknowledged ones do not") {
  const agents::World world = small_world();
  auto peer = joined(world);
  peer.deliver(root, supply({task(0)}));
  REQUIRE(peer.complete_next());
  REQUIRE(peer.sent<Results>().size() == 1);
  peer.pass(1100ms);
  peer.deliver(root, alive_too(0));
  REQUIRE(peer.sent<Results>().size() == 2);
  CHECK(peer.sent<Results>().back().second.list == peer.sent<Results>().front().second.list);
  peer.deliver(root, alive_too(1));
  peer.pass(1500ms);
  peer.deliver(root, alive_too(1));
  CHECK(peer.sent<Results>().size() == 2);
}

TEST_CASE("results are acknowledged only when all before them have come") {
  const agents::World world = small_world();
  auto peer = working_root(world);
  take_on(peer, me);
  peer.forget();
  peer.deliver(me, Results{root, 1, 1, 0, 0, {{{0, 5}, me}}});  // number 0 was lost
  peer.deliver(me, Alive{root, 1, 0, 0});
  REQUIRE(peer.sent<AliveToo>().size() == 1);
  CHECK(peer.sent<AliveToo>().back().second.acknowledged == 0);
  CHECK(peer.facts().empty());
  peer.deliver(me, Results{root, 1, 0, 0, 0, {{{0, 4}, me}, {{0, 5}, me}}});
  peer.deliver(me, Alive{root, 1, 0, 0});
  CHECK(peer.sent<AliveToo>().back().second.acknowledged == 2);
  CHECK(count_facts<agents::TaskCompleted>(peer) == 2);
}

TEST_CASE("the source counts every result of a task beyond the first as a duplicate") {
  const agents::World world = small_world();
  auto peer = working_root(world);
  take_on(peer, me);
  peer.forget();
  peer.deliver(me, Results{root, 1, 0, 0, 0, {{{0, 5}, me}}});
  peer.deliver(me, Results{root, 1, 1, 0, 0, {{{0, 5}, me}, {{0, 5}, child}}});
  CHECK(count_facts<agents::TaskCompleted>(peer) == 1);
  CHECK(count_facts<agents::TaskDuplicate>(peer) == 2);
}

TEST_CASE("a result of a task that the source never had is ignored") {
  const agents::World world = small_world();
  auto peer = working_root(world);
  take_on(peer, me);
  peer.forget();
  peer.deliver(me, Results{root, 1, 0, 0, 0, {{{0, 18}, me}, {{7, 0}, me}}});
  CHECK(peer.facts().empty());
}

TEST_CASE("tasks of a dead child are handed out again, but not those that it returned") {
  const agents::World world = small_world();
  auto peer = working_root(world);
  take_on(peer, me);
  peer.deliver(me, Demand{root, 1, 3, 0});
  const auto given = peer.sent<Supply>().front().second.tasks;
  REQUIRE(given.size() == 3);
  peer.deliver(me, Results{root, 1, 0, 3, 3, {{{given[0].id}, me}}});
  test::live(peer, 3s);
  CHECK(count_facts<agents::TaskReissued>(peer, "dead child") == 2);
}

TEST_CASE("a task whose result came after all is not handed out again") {
  const agents::World world = small_world({.portions = 3});
  auto peer = working_root(world);
  take_on(peer, me);
  peer.deliver(me, Demand{root, 1, 2, 0});
  test::live(peer, 3s);  // it is taken for dead
  REQUIRE(count_facts<agents::TaskReissued>(peer, "dead child") == 2);
  take_on(peer, child);
  peer.forget();
  const auto results = test::results(1, 2, child);
  peer.deliver(child, Results{root, 1, 0, 0, 0, results});
  peer.deliver(child, Demand{root, 1, 9, 0});
  CHECK(peer.sent<Supply>().empty());
}

TEST_CASE("a peer that has restarted is taken for new, and its tasks are handed out again") {
  const agents::World world = small_world();
  auto peer = working_root(world);
  take_on(peer, me);
  peer.deliver(me, Demand{root, 1, 2, 0});
  peer.forget();
  peer.deliver(me, Ask{.epoch = 1});
  CHECK(count_facts<agents::TaskReissued>(peer, "restart") == 2);
  CHECK(peer.sent<Clone>().size() == 1);
}

TEST_CASE("a duplicate of a request that a child sent before it came is no restart") {
  const agents::World world = small_world();
  auto peer = working_root(world);
  take_on(peer, me);
  peer.deliver(me, Demand{root, 1, 2, 0});
  peer.forget();
  peer.deliver(me, Ask{});
  CHECK(count_facts<agents::TaskReissued>(peer) == 0);
  CHECK(peer.sent<Clone>().empty());
}

TEST_CASE("a child that asks for work of other trees is no restart, now or when work comes") {
  const agents::World world = small_world({.jobs = 2, .portions = 3, .peers = 4});
  auto peer = joined(world);
  peer.deliver(root, supply(tasks(0, 2)));
  take_on(peer, child);
  peer.deliver(child, Demand{root, 1, 1, 0});
  peer.forget();
  peer.deliver(child, Ask{.epoch = 1, .serving = {root}});
  peer.deliver(root, supply(tasks(2, 4), 2));
  CHECK(count_facts<agents::TaskReissued>(peer) == 0);
  CHECK(peer.sent<Clone>().empty());
}

}  // namespace rhizome::work_test
