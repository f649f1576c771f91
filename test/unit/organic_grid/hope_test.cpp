// An agent of the Organic Grid without news of its root, or with a false root.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "test/support/grid_peer.hpp"

namespace rhizome::hope_test {

using namespace agents::grid;
using namespace std::chrono_literals;
using core::PeerId;
using test::count_facts;
using test::grid_peer;
using test::GridPeer;
using test::joined;
using test::me;
using test::root;
using test::small_world;
using test::supply;
using test::take_on;
using test::tasks;

namespace {

constexpr PeerId child{2};
constexpr PeerId neighbour{3};

const agents::World& world() {
  static const agents::World made = small_world();
  return made;
}

// A peer that has had no news for so long that it came to rest.
GridPeer resting() {
  GridPeer peer = joined(world());
  test::live(peer, Options{}.hope() + 5s);
  REQUIRE(peer.finished());
  peer.forget();
  return peer;
}

}  // namespace

TEST_CASE("a peer without news of its root for long says that the run failed, and rests") {
  auto peer = joined(world());
  test::live(peer, Options{}.hope() - 5s);
  CHECK(count_facts<agents::RunFailed>(peer) == 0);
  CHECK_FALSE(peer.finished());
  test::live(peer, 10s);
  CHECK(count_facts<agents::RunFailed>(peer) == 1);
  CHECK(peer.finished());
  CHECK(peer.timers().empty());
  CHECK(peer.works().empty());
}

TEST_CASE("a peer that never found a tree gives up too") {
  auto peer = grid_peer(me, world());
  test::live(peer, Options{}.hope() + 1s);
  CHECK(count_facts<agents::RunFailed>(peer) == 1);
  CHECK(peer.finished());
}

TEST_CASE(
    "a peer whose neighbours do not answer asks the root before it gives up, and not before") {
  agents::World lonely = small_world({.peers = 40});
  lonely.graph = overlay::graph_of(40, std::vector<overlay::Edge>{{1, 2}, {0, 3}});
  auto peer = grid_peer(me, lonely);
  const auto asked_for = [&](core::Duration time) {
    peer.forget();
    test::live(peer, time);
    std::size_t asked = 0;
    for (const auto& [to, ask] : peer.sent<Ask>()) asked += to == root && ask.worried ? 1 : 0;
    return asked;
  };
  const core::Duration hope = Options{}.hope();
  CHECK(asked_for(hope * 3 / 4) == 0);
  CHECK(asked_for(hope / 4 + 1s) > 0);
  CHECK(peer.finished());
}

TEST_CASE("a parent that only knows old news of the root does not keep its child waiting") {
  auto peer = joined(world());
  for (core::Duration silent = 0s; silent < Options{}.hope() + 5s; silent += 500ms) {
    peer.deliver(root, AliveToo{root, 1, 0, silent, {root}});
    test::live(peer, 500ms);
  }
  CHECK(peer.finished());
}

TEST_CASE(
    "a root whose files are at another root asks that one for signs of life, and ends without") {
  agents::World shared = small_world({.jobs = 2});
  shared.files.used = true;
  Options options;
  options.roots = 2;
  const PeerId second = agents::grid_roots(options, shared).back();
  for (const bool lives : {true, false}) {
    CAPTURE(lives);
    GridPeer peer = grid_peer(second, shared, options);
    const auto asked = [&peer] {
      const auto asks = peer.sent<Ask>();
      return std::any_of(asks.begin(), asks.end(), [](const auto& ask) {
        return ask.first == root && ask.second.worried && ask.second.serving.size() == 2;
      });
    };
    for (core::Duration passed = 0s; passed < 10 * options.hope() + 5s; passed += 500ms) {
      if (lives && asked()) peer.deliver(root, Vouch{false, {{root, 0s}}});
      test::live(peer, 500ms);
    }
    CHECK(asked());
    CHECK(count_facts<agents::RunFailed>(peer) == (lives ? 0 : 1));
  }
}

TEST_CASE("a root that is asked whether it lives says so, also when its tree has ended") {
  const agents::World shared = small_world();
  Options options;
  options.roots = 2;
  GridPeer peer = grid_peer(root, shared, options);
  const PeerId second = agents::grid_roots(options, shared).back();
  peer.deliver(second, Terminate{{root}});
  test::live(peer, 3s);
  peer.forget();
  peer.deliver(second, Ask{.worried = true, .serving = {root, second}});
  REQUIRE(peer.sent<Vouch>().size() == 1);
  const std::vector<Sighting> seen = peer.sent<Vouch>().front().second.sightings;
  REQUIRE_FALSE(seen.empty());
  CHECK(seen.front().age == 0s);
  CHECK(peer.sent<Clone>().empty());
}

TEST_CASE("a root that has given up another tree and rests does not keep its peers waiting") {
  const agents::World shared = small_world();
  Options options;
  options.roots = 2;
  GridPeer peer = grid_peer(root, shared, options);
  const PeerId second = agents::grid_roots(options, shared).back();
  peer.deliver(second, Terminate{{root}});
  test::live(peer, options.hope() + 5s);
  REQUIRE(count_facts<agents::RunFailed>(peer) == 1);
  peer.forget();
  peer.deliver(child, Ask{.worried = true});
  REQUIRE(peer.sent<Vouch>().size() == 1);
  const Vouch vouch = peer.sent<Vouch>().front().second;
  CHECK(vouch.hopeless);
  for (const Sighting& sighting : vouch.sightings) CHECK(sighting.age > options.hope() / 2);
}

TEST_CASE("fresh news of the root keep a peer going") {
  auto peer = joined(world());
  for (int i = 0; i < 100; ++i) {
    peer.deliver(root, AliveToo{root, 1, 0, 1s, {root}});
    test::live(peer, 500ms);
  }
  CHECK_FALSE(peer.finished());
  CHECK(count_facts<agents::RunFailed>(peer) == 0);
}

TEST_CASE("a worried peer asks others for news, and goes on when they have some") {
  auto peer = grid_peer(me, world());
  test::live(peer, Options{}.hope() - 1s);
  REQUIRE(peer.sent<Ask>().back().second.worried);
  peer.deliver(neighbour, Vouch{false, {{root, 1s}}});
  test::live(peer, Options{}.hope() - 2s);
  CHECK_FALSE(peer.finished());
}

TEST_CASE("a peer that knows of the root tells worried peers") {
  auto peer = joined(world());
  peer.pass(3s);
  peer.deliver(neighbour, Ask{.worried = true});
  REQUIRE(peer.sent<Vouch>().size() == 1);
  const auto vouch = peer.sent<Vouch>().front().second;
  CHECK_FALSE(vouch.hopeless);
  REQUIRE(vouch.sightings.size() == 1);
  CHECK(vouch.sightings.front().age == core::Duration(3s));
}

TEST_CASE("a newcomer believes peers that have given up") {
  auto given_up = resting();
  given_up.deliver(neighbour, Ask{});
  REQUIRE(given_up.sent<Vouch>().size() == 1);
  CHECK(given_up.sent<Vouch>().front().second.hopeless);
  auto newcomer = grid_peer(me, world());
  newcomer.deliver(child, given_up.sent<Vouch>().front().second);
  test::live(newcomer, 1s);
  CHECK(newcomer.finished());
}

TEST_CASE("a peer that gave up goes on when the tree calls it") {
  auto peer = resting();
  peer.deliver(child, Recall{root, 1s});
  REQUIRE(peer.sent<Ask>().size() == 1);
  CHECK(peer.sent<Ask>().front().first == child);
  CHECK_FALSE(peer.finished());
  CHECK_FALSE(peer.timers().empty());
  peer.deliver(child, Clone{root, 1s, {child, root}});
  CHECK(peer.protocol().node(root) != nullptr);
  CHECK(peer.sent<Demand>().size() == 1);
}

TEST_CASE("a peer that came back calls the peers that it knew") {
  auto peer = resting();
  peer.deliver(child, Clone{root, 0s, {child, root}});
  const std::uint64_t epoch = peer.sent<Demand>().front().second.epoch;
  peer.forget();
  for (int i = 0; i < 10; ++i) {
    peer.deliver(child, AliveToo{root, epoch, 0, 0s, {child, root}});
    test::live(peer, 500ms);
  }
  std::set<PeerId> called;
  for (const auto& [to, recall] : peer.sent<Recall>()) called.insert(to);
  CHECK(called.contains(neighbour));
}

TEST_CASE("a living tree calls a child that it took for dead, until it is heard of") {
  auto peer = test::working_root(world());
  take_on(peer, child);
  test::live(peer, 10s);
  REQUIRE_FALSE(peer.sent<Recall>().empty());
  CHECK(peer.sent<Recall>().front().first == child);
  take_on(peer, child);
  peer.forget();
  for (int i = 0; i < 10; ++i) {
    peer.deliver(child, Alive{root, 1, 0, 0});
    test::live(peer, 500ms);
  }
  CHECK(peer.sent<Recall>().empty());
}

TEST_CASE("a living tree calls a peer that asked for work and did not answer") {
  auto peer = test::working_root(world());
  peer.deliver(child, Ask{});
  test::live(peer, 10s);
  REQUIRE_FALSE(peer.sent<Recall>().empty());
  CHECK(peer.sent<Recall>().front().first == child);
}

TEST_CASE("a grandchild that was offered and did not come is not called") {
  auto peer = test::working_root(world());
  take_on(peer, child);
  peer.deliver(child, Offer{root, neighbour});
  for (int i = 0; i < 20; ++i) {
    peer.deliver(child, Alive{root, 1, 0, 0});
    test::live(peer, 500ms);
  }
  CHECK(peer.sent<Recall>().empty());
}

TEST_CASE("a node that gives up tells its children") {
  auto peer = joined(world());
  peer.deliver(root, supply(tasks(0, 3)));
  take_on(peer, child);
  peer.forget();
  for (int i = 0; i < 100 && !peer.finished(); ++i) {
    peer.deliver(child, Alive{root, 1, 0, 0});
    test::live(peer, 500ms);
  }
  CHECK(peer.finished());
  CHECK_FALSE(peer.sent<Stranger>().empty());
}

TEST_CASE("a tree that has ended is answered with a farewell") {
  auto peer = joined(world());
  peer.deliver(root, Terminate{{root}});
  CHECK(peer.finished());
  CHECK(peer.timers().empty());
  peer.forget();
  peer.deliver(child, Adopt{root, 1, true});
  CHECK(peer.sent<Terminate>().size() == 1);
}

TEST_CASE("a peer does not join the tree of a peer that is no root") {
  auto peer = grid_peer(me, world());
  peer.deliver(child, Clone{child, {}, {child}});
  CHECK(peer.protocol().node(child) == nullptr);
  peer.deliver(child, Terminate{{child}});
  CHECK_FALSE(peer.finished());
}

}  // namespace rhizome::hope_test
