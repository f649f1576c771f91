// How one agent of the Organic Grid finds a new parent, and grants one to others.
#include <doctest/doctest.h>

#include "test/support/grid_family.hpp"

namespace rhizome::adoption_test {

using namespace agents::grid;
using namespace std::chrono_literals;
using core::PeerId;
using test::alive_too;
using test::bursts;
using test::count_facts;
using test::GridPeer;
using test::joined;
using test::me;
using test::root;
using test::supply;
using test::take_on;
using test::tasks;
using test::family::child;
using test::family::family_world;
using test::family::nimble;
using test::family::parent_of;
using test::family::sibling;
using test::family::stranger;
using test::family::third;

namespace {

// The same with a peer between it and the root.
constexpr PeerId upper{6};
GridPeer deep(PeerId below) {
  GridPeer peer = test::grid_peer(me, family_world(), nimble());
  peer.deliver(upper, Clone{root, {}, {upper, root}});
  peer.deliver(upper, Supply{root, 1, 0, 0, {}, {upper, root}, tasks(0, 6)});
  take_on(peer, below);
  peer.forget();
  return peer;
}

// The epoch of the last request for adoption.
std::uint64_t requested(const GridPeer& peer) {
  REQUIRE_FALSE(peer.sent<Adopt>().empty());
  return peer.sent<Adopt>().back().second.epoch;
}

PeerId asked(const GridPeer& peer) {
  REQUIRE_FALSE(peer.sent<Adopt>().empty());
  return peer.sent<Adopt>().back().first;
}

}  // namespace

TEST_CASE("re-parenting commits on acceptance and only then leaves the old parent") {
  auto peer = joined(family_world());
  peer.forget();
  peer.deliver(root, Move{root, stranger});
  REQUIRE(peer.sent<Adopt>().size() == 1);
  CHECK(peer.facts().empty());
  CHECK(peer.sent<Leave>().empty());
  peer.deliver(stranger, Accept{root, requested(peer), {}, {stranger, root}});
  REQUIRE(count_facts<agents::ParentChanged>(peer) == 1);
  CHECK(peer.protocol().node(root)->parent() == stranger);
  REQUIRE(peer.sent<Leave>().size() == 1);
  CHECK(peer.sent<Leave>().front().first == root);
}

TEST_CASE("an acceptance that its receiver no longer waits for is given back") {
  auto peer = joined(family_world());
  peer.deliver(root, Move{root, stranger});
  const std::uint64_t epoch = requested(peer);
  peer.deliver(stranger, Reject{root, epoch, {}});
  peer.forget();
  peer.deliver(stranger, Accept{root, epoch, {}, {stranger, root}});
  CHECK(peer.protocol().node(root)->parent() == root);
  REQUIRE(peer.sent<Leave>().size() == 1);
  CHECK(peer.sent<Leave>().front().first == stranger);
}

TEST_CASE("one does not attach below oneself") {
  auto peer = parent_of({child});
  peer.deliver(root, Move{root, stranger});
  peer.deliver(stranger, Accept{root, requested(peer), {}, {stranger, child, me, root}});
  CHECK(peer.protocol().node(root)->parent() == root);
  CHECK(peer.sent<Leave>().size() == 1);
}

TEST_CASE("an eviction towards a peer that does not exist is not believed") {
  auto peer = joined(family_world());
  peer.forget();
  peer.deliver(root, Evict{root, {child, PeerId{1000}}});
  CHECK(peer.refused() == core::Drop::implausible);
  CHECK(peer.sent_count() == 0);
}

TEST_CASE("an evicted child tries its siblings in turn") {
  auto peer = joined(family_world());
  peer.forget();
  peer.deliver(root, Evict{root, {child, me, core::no_peer, root, sibling}});
  CHECK(asked(peer) == child);
  peer.deliver(child, Reject{root, requested(peer), {}});
  CHECK(asked(peer) == sibling);
  test::live(peer, 1600ms);  // it does not answer
  peer.deliver(root, Evict{root, {third}});
  CHECK(asked(peer) == third);
  CHECK(peer.protocol().node(root)->parent() == root);
}

TEST_CASE("a node that found no place goes on below nodes that had none") {
  auto peer = joined(family_world());
  peer.deliver(root, Evict{root, {child}});
  peer.deliver(child, Reject{root, requested(peer), {sibling}});
  CHECK(asked(peer) == sibling);
}

TEST_CASE("no node adopts its own ancestor, or any node while it moves itself") {
  auto peer = joined(family_world());
  peer.deliver(root, Adopt{root, 7, false});
  CHECK(peer.sent<Reject>().size() == 1);
  peer.deliver(root, Move{root, stranger});
  peer.deliver(child, Adopt{root, 7, false});
  CHECK(peer.sent<Reject>().size() == 2);
  CHECK(peer.sent<Accept>().empty());
}

TEST_CASE("a leaf moves freely, and the request of a node with children climbs") {
  auto leaf = joined(family_world());
  leaf.deliver(root, Move{root, stranger});
  CHECK_FALSE(leaf.sent<Adopt>().back().second.climbs);
  auto inner = parent_of({child});
  inner.deliver(root, Move{root, stranger});
  CHECK(inner.sent<Adopt>().back().second.climbs);
}

TEST_CASE("a node that sent a child away is no leaf until the child has gone") {
  auto peer = parent_of({child, sibling}, nimble(1));
  bursts(peer, child, 0, 2, 50ms);
  bursts(peer, sibling, 0, 2, 200ms);
  peer.deliver(child, Leave{root, 1, 0});
  peer.deliver(root, Move{root, stranger});
  CHECK(peer.sent<Adopt>().back().second.climbs);
}

TEST_CASE("a request climbs past no node that is moving or is the mover") {
  auto peer = deep(child);
  peer.deliver(child, Climb{root, stranger, 9, child, 1, 0});
  REQUIRE(peer.sent<Climb>().size() == 1);
  CHECK(peer.sent<Climb>().front().first == upper);
  peer.deliver(child, Climb{root, me, 9, child, 1, 0});
  REQUIRE(peer.sent<Climbed>().size() == 1);
  CHECK(peer.sent<Climbed>().back().first == child);
  CHECK_FALSE(peer.sent<Climbed>().back().second.clear);
  peer.deliver(upper, Move{root, third});
  peer.deliver(child, Climb{root, stranger, 9, child, 1, 0});
  REQUIRE(peer.sent<Climbed>().size() == 2);
  CHECK_FALSE(peer.sent<Climbed>().back().second.clear);
  CHECK(peer.sent<Climb>().size() == 1);
}

TEST_CASE("a request that goes round and round is stopped") {
  auto peer = deep(child);
  peer.deliver(child, Climb{root, stranger, 9, child, 1, 8});
  REQUIRE(peer.sent<Climbed>().size() == 1);
  CHECK_FALSE(peer.sent<Climbed>().back().second.clear);
}

TEST_CASE("a child of the root lets a request pass that has come so far, unless it moves") {
  auto peer = parent_of({child});
  peer.deliver(child, Climb{root, stranger, 9, third, 4, 2});
  REQUIRE(peer.sent<Climbed>().size() == 1);
  CHECK(peer.sent<Climbed>().front().first == third);
  CHECK(peer.sent<Climbed>().front().second.clear);
  peer.deliver(child, Climb{root, me, 9, third, 4, 2});
  REQUIRE(peer.sent<Climbed>().size() == 2);
  CHECK_FALSE(peer.sent<Climbed>().back().second.clear);
  peer.deliver(stranger, Adopt{root, 7, true});
  CHECK(peer.sent<Accept>().size() == 1);
}

TEST_CASE("a host accepts after its ancestors, unless it has moved meanwhile") {
  auto peer = deep(child);
  peer.deliver(stranger, Adopt{root, 7, true});
  CHECK(peer.sent<Accept>().empty());
  CHECK(peer.sent<Wait>().size() == 1);
  REQUIRE(peer.sent<Climb>().size() == 1);
  const Climb climb = peer.sent<Climb>().front().second;
  CHECK(climb.host == me);
  CHECK(climb.mover == stranger);
  peer.deliver(root, Climbed{root, stranger, 7, climb.host_epoch + 1, true});
  CHECK(peer.sent<Reject>().size() == 1);
  peer.deliver(root, Climbed{root, stranger, 7, climb.host_epoch, false});
  CHECK(peer.sent<Reject>().size() == 2);
  CHECK(peer.sent<Accept>().empty());
  peer.deliver(root, Climbed{root, stranger, 7, climb.host_epoch, true});
  CHECK(peer.sent<Accept>().size() == 1);
}

TEST_CASE("news of an ancestor travels down at once") {
  auto peer = parent_of({child});
  peer.deliver(root, alive_too(0, {root}));
  CHECK(peer.sent<AliveToo>().empty());
  peer.deliver(root, alive_too(0, {root, stranger}));
  REQUIRE(peer.sent<AliveToo>().size() == 1);
  CHECK(peer.sent<AliveToo>().front().first == child);
  CHECK(peer.sent<AliveToo>().front().second.ancestors == std::vector<PeerId>{me, root, stranger});
}

TEST_CASE("a peer that finds itself among its ancestors leaves its parent") {
  auto peer = joined(family_world());
  Supply looped = supply({});
  looped.ancestors = {root, me};
  peer.deliver(root, looped);
  CHECK(count_facts<agents::ParentChanged>(peer, "cycle") == 1);
}

TEST_CASE("when the parent is silent the next ancestors are tried in order, as many as allowed") {
  Options options;
  options.ancestors = 2;
  auto peer = test::grid_peer(me, family_world(), options);
  peer.deliver(child, Clone{root, {}, {child, sibling, third, stranger, root}});
  peer.forget();
  test::live(peer, options.timeout + options.heartbeat());
  CHECK(count_facts<agents::ParentChanged>(peer, "recovery") == 1);
  CHECK(asked(peer) == sibling);
  peer.deliver(sibling, Reject{root, requested(peer), {}});
  CHECK(asked(peer) == third);
  peer.deliver(third, Reject{root, requested(peer), {}});
  CHECK(asked(peer) == root);  // the first neighbour
  CHECK(peer.sent<Adopt>().back().second.climbs);
}

TEST_CASE("a parent that has lost its state is left, and its results go up again") {
  auto peer = joined(family_world(), nimble());
  peer.deliver(root, supply(tasks(0, 1)));
  REQUIRE(peer.complete_next());
  peer.deliver(root, Stranger{root, 0});  // of an earlier stay
  CHECK(peer.protocol().node(root)->parent() == root);
  peer.deliver(root, Stranger{root, 1});
  peer.deliver(root, Settled{root, 1, 0});
  peer.forget();
  test::live(peer, 1100ms);
  const PeerId host = asked(peer);
  peer.deliver(host, Accept{root, requested(peer), {}, {host, root}});
  test::live(peer, 600ms);
  REQUIRE(peer.sent<Results>().size() == 1);
  CHECK(peer.sent<Results>().front().first == host);
}

}  // namespace rhizome::adoption_test
