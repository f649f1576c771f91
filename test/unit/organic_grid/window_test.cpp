// How much a peer asks for beforehand where tasks are scarce.
#include <doctest/doctest.h>

#include "test/support/grid_peer.hpp"

namespace rhizome::window_test {

using namespace agents::grid;
using core::PeerId;
using test::GridPeer;
using test::joined;
using test::root;
using test::small_world;
using test::supply;
using test::task;

namespace {

std::uint64_t last_demand(const GridPeer& peer) {
  REQUIRE_FALSE(peer.sent<Demand>().empty());
  return peer.sent<Demand>().back().second.demanded;
}

// The total of demanded tasks, as announced after four heartbeats.
std::uint64_t demanded_later(GridPeer& peer) {
  peer.forget();
  for (int i = 0; i < 4; ++i) {
    test::live(peer, Options{}.heartbeat());
    peer.deliver(root, test::alive_too(0));
  }
  REQUIRE_FALSE(peer.sent<Alive>().empty());
  return peer.sent<Alive>().back().second.demanded;
}

}  // namespace

TEST_CASE("a peer that starves asks for a task for each hand, however many it would steal") {
  const agents::World world = small_world();
  Options options;
  options.steal_more = 4;
  auto peer = joined(world, options);
  REQUIRE(last_demand(peer) == 4);
  CHECK(demanded_later(peer) == 1);
  peer.forget();
  peer.deliver(root, supply({task(0)}));
  CHECK(last_demand(peer) == 2);
}

TEST_CASE("a peer that works does not starve, though no task waits at it") {
  const agents::World world = small_world();
  Options options;
  options.steal_more = 4;
  auto peer = joined(world, options);
  peer.deliver(root, supply({task(0)}));
  REQUIRE(peer.works().size() == 1);
  CHECK(demanded_later(peer) == 4);
}

TEST_CASE("a peer that starves asks for a task for one that asked it in vain, too") {
  const agents::World world = small_world();
  Options options;
  options.prefetch = false;
  auto peer = joined(world, options);
  peer.deliver(PeerId{2}, Ask{});
  REQUIRE(last_demand(peer) == 2);
  CHECK(demanded_later(peer) == 2);
}

TEST_CASE("a peer that gave a waiting task back prefetches none until it is idle") {
  const agents::World world = small_world();
  Options options;
  options.steal_more = 2;
  options.burst = 2;
  auto peer = joined(world, options);
  REQUIRE(last_demand(peer) == 2);
  peer.deliver(root, supply({task(0), task(1)}));
  peer.forget();
  peer.deliver(root, Inquiry{root, 1, 1, {{0, 1}}});
  REQUIRE(peer.sent<InquiryReply>().size() == 1);
  REQUIRE(peer.sent<InquiryReply>()[0].second.list[0].place == Place::passed);
  CHECK(peer.sent<Demand>().empty());
  REQUIRE(peer.complete_next());
  REQUIRE(peer.sent<Results>().size() == 1);
  CHECK(peer.sent<Results>()[0].second.demanded == 3);  // one task for the idle peer itself
}

}  // namespace rhizome::window_test
