// How one agent of the Organic Grid moves, and lets others move.
#include <doctest/doctest.h>

#include "test/support/grid_family.hpp"

namespace rhizome::moves_test {

using namespace agents::grid;
using namespace std::chrono_literals;
using core::PeerId;
using test::bursts;
using test::count_facts;
using test::GridPeer;
using test::joined;
using test::me;
using test::results;
using test::root;
using test::supply;
using test::take_on;
using test::tasks;
using test::working_root;
using test::family::child;
using test::family::family_world;
using test::family::nimble;
using test::family::parent_of;
using test::family::sibling;
using test::family::stranger;
using test::family::third;

namespace {

// The epoch of the last request for adoption.
std::uint64_t requested(const GridPeer& peer) {
  REQUIRE_FALSE(peer.sent<Adopt>().empty());
  return peer.sent<Adopt>().back().second.epoch;
}

}  // namespace

TEST_CASE("the slowest of too many children is told to go below its siblings") {
  auto peer = parent_of({child, sibling}, nimble(1));
  bursts(peer, child, 0, 2, 50ms);
  CHECK(peer.sent<Evict>().empty());
  bursts(peer, sibling, 0, 2, 200ms);
  REQUIRE(peer.sent<Evict>().size() == 1);
  CHECK(peer.sent<Evict>().front().first == sibling);
  CHECK(peer.sent<Evict>().front().second.candidates == std::vector<PeerId>{child});
}

TEST_CASE("with only_faster a child is named for promotion only by a slower parent") {
  for (const double pace : {0.5, 2.0}) {  // of the child; the parent's own is 1
    CAPTURE(pace);
    Options options = nimble();
    options.metric = ChildMetric::executions;
    options.only_faster = true;
    auto peer = parent_of({child}, options);
    REQUIRE(peer.complete_next());
    for (std::uint64_t i = 0; i < options.full_window(); ++i)
      peer.deliver(child,
                   Results{root, 1, i, 0, 0, {{{9, static_cast<std::uint32_t>(i)}, child, pace}}});
    CHECK(peer.sent<Offer>().empty() == (pace > 1));
  }
}

TEST_CASE("an evicted child that does not go is told again, and heard until it goes") {
  auto peer = parent_of({child, sibling}, nimble(1));
  bursts(peer, child, 0, 2, 50ms);
  bursts(peer, sibling, 0, 2, 200ms);
  peer.forget();
  peer.pass(nimble().heartbeat() * 2);
  peer.deliver(sibling, Results{root, 1, 2, 0, 0, {{{9, 0}, sibling}}});
  CHECK(peer.sent<Evict>().size() == 1);
  peer.deliver(sibling, Alive{root, 1, 0, 0});
  REQUIRE(peer.sent<AliveToo>().size() == 1);
  CHECK(peer.sent<AliveToo>().front().second.acknowledged == 3);
}

TEST_CASE("an evicted child learns which of its results its former parent has") {
  auto peer = parent_of({child, sibling}, nimble(1));
  bursts(peer, child, 0, 2, 50ms);
  bursts(peer, sibling, 0, 2, 200ms);
  peer.deliver(sibling, Leave{root, 1, 0});
  REQUIRE(peer.sent<Settled>().size() == 1);
  CHECK(peer.sent<Settled>().front().second.acknowledged == 2);
  peer.deliver(sibling, Results{root, 1, 2, 0, 0, {{{9, 0}, sibling}}});  // too late
  peer.deliver(sibling, Leave{root, 1, 0});                               // the answer was lost
  REQUIRE(peer.sent<Settled>().size() == 2);
  CHECK(peer.sent<Settled>().back().second.acknowledged == 2);
}

TEST_CASE("results that the former parent has do not go up again, and the others do") {
  auto peer = joined(family_world(), nimble());
  peer.deliver(root, supply(tasks(0, 2)));
  REQUIRE(peer.complete_next());
  REQUIRE(peer.complete_next());
  const auto bursts_sent = peer.sent<Results>();
  REQUIRE(bursts_sent.size() == 2);
  peer.deliver(root, Move{root, stranger});
  peer.deliver(stranger, Accept{root, requested(peer), {}, {stranger, root}});
  CHECK(peer.sent<Results>().size() == 2);
  peer.deliver(root, Settled{root, 1, 1});
  test::live(peer, 600ms);
  REQUIRE(peer.sent<Results>().size() == 3);
  CHECK(peer.sent<Results>().back().first == stranger);
  auto list = bursts_sent.back().second.list;
  list.front().strayed = true;  // the lender was another
  CHECK(peer.sent<Results>().back().second.list == list);
}

TEST_CASE("results go up again when the former parent does not answer") {
  auto peer = joined(family_world(), nimble());
  peer.deliver(root, supply(tasks(0, 1)));
  REQUIRE(peer.complete_next());
  peer.deliver(root, Move{root, stranger});
  const std::uint64_t epoch = requested(peer);
  peer.deliver(stranger, Accept{root, epoch, {}, {stranger, root}});
  peer.forget();
  for (int i = 0; i < 30; ++i) {
    peer.deliver(stranger, AliveToo{root, epoch, 0, {}, {stranger, root}});
    test::live(peer, 100ms);
  }
  CHECK(peer.sent<Leave>().size() > 1);  // asked again and again
  REQUIRE_FALSE(peer.sent<Results>().empty());
  CHECK(peer.sent<Results>().front().first == stranger);
}

TEST_CASE("a task that a child never received goes back to where it came from") {
  auto peer = working_root(family_world());
  take_on(peer, me);
  peer.deliver(me, Demand{root, 1, 3, 0});
  const auto given = peer.sent<Supply>().front().second.tasks;
  peer.deliver(me, Leave{root, 1, 1});
  take_on(peer, child);
  peer.forget();
  peer.deliver(child, Demand{root, 1, 2, 0});
  REQUIRE(peer.sent<Supply>().size() == 1);
  const auto again = peer.sent<Supply>().front().second.tasks;
  REQUIRE(again.size() == 2);
  CHECK(again[0].id == given[1].id);
  CHECK(again[1].id == given[2].id);
  CHECK(count_facts<agents::TaskReissued>(peer) == 0);
}

TEST_CASE("an evicted child may not come back at once, but one that left by itself may") {
  auto peer = parent_of({child, sibling}, nimble(1));
  bursts(peer, child, 0, 2, 50ms);
  bursts(peer, sibling, 0, 2, 200ms);
  peer.deliver(sibling, Leave{root, 1, 0});
  peer.deliver(child, Leave{root, 1, 0});
  peer.forget();
  peer.deliver(sibling, Adopt{root, 2, false});
  CHECK(peer.sent<Reject>().size() == 1);
  peer.deliver(child, Adopt{root, 2, false});
  CHECK(peer.sent<Accept>().size() == 1);
}

TEST_CASE("a peer that declines a clone may come later") {
  auto peer = working_root(family_world());
  peer.deliver(me, Ask{});
  peer.deliver(me, Decline{root, 0});
  peer.forget();
  peer.deliver(me, Ask{});
  CHECK(peer.sent<Clone>().size() == 1);
  peer.deliver(me, Alive{root, 1, 0, 0});
  peer.deliver(me, Decline{root, 0});  // a second copy of the first
  peer.deliver(me, Alive{root, 1, 0, 0});
  CHECK(peer.sent<Stranger>().empty());
}

TEST_CASE("a node names its best child to its parent after a full window of results") {
  auto peer = parent_of({child, sibling});
  bursts(peer, sibling, 0, 1, 90ms);
  CHECK(peer.sent<Offer>().empty());
  bursts(peer, child, 0, 3, 30ms);
  REQUIRE_FALSE(peer.sent<Offer>().empty());
  CHECK(peer.sent<Offer>().back().first == root);
  CHECK(peer.sent<Offer>().back().second.child == child);
}

TEST_CASE("without promotion no child is named") {
  Options options = nimble();
  options.promotion = false;
  auto peer = parent_of({child}, options);
  bursts(peer, child, 0, 9, 30ms);
  CHECK(peer.sent<Offer>().empty());
}

TEST_CASE("a parent takes a grandchild that is offered even where there is no room") {
  Options options = nimble(1);
  options.max_potential = 1;
  auto peer = parent_of({child}, options);
  peer.deliver(child, Offer{root, sibling});
  CHECK(peer.sent<OfferAccepted>().size() == 1);
  peer.deliver(child, Offer{root, third});
  CHECK(peer.sent<OfferAccepted>().size() == 2);
  peer.deliver(sibling, Adopt{root, 4, false});
  REQUIRE(peer.sent<Accept>().size() == 1);
  CHECK(peer.sent<Accept>().front().second.ancestors == std::vector<PeerId>{me, root});
}

TEST_CASE("a grandchild that is a former child, an ancestor or core::no_peer is not taken") {
  auto peer = parent_of({child, sibling}, nimble(1));
  bursts(peer, child, 0, 2, 50ms);
  bursts(peer, sibling, 0, 2, 200ms);  // evicted
  peer.deliver(sibling, Leave{root, 1, 0});
  peer.forget();
  for (const PeerId no : {sibling, root, me, child, PeerId{1000}, core::no_peer})
    peer.deliver(child, Offer{root, no});
  peer.deliver(stranger, Offer{root, third});  // not by a child
  CHECK(peer.sent<OfferAccepted>().empty());
}

TEST_CASE("a child that was promoted is told so, and is a former child once it has left") {
  auto peer = parent_of({child});
  peer.deliver(root, OfferAccepted{root, child});
  REQUIRE(peer.sent<Move>().size() == 1);
  CHECK(peer.sent<Move>().front().first == child);
  CHECK(peer.sent<Move>().front().second.to == root);
  peer.deliver(child, Leave{root, 1, 0});
  peer.deliver(child, Adopt{root, 3, false});
  CHECK(peer.sent<Reject>().size() == 1);
}

}  // namespace rhizome::moves_test
