// What a peer under vector scheduling knows of its neighbours, though messages overtake each other
// and peers live again.
#include "agents/vector/neighbour_table.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <cstdint>

#include "test/support/small_world.hpp"

namespace rhizome::vector_neighbours_test {

using namespace agents::vectors;
using namespace std::chrono_literals;
using core::PeerId;

namespace {

constexpr PeerId me{1};
constexpr PeerId other{2};

core::Time at(core::Duration since) { return core::Time{} + since; }

NeighbourTable neighbours() {
  static const test::World world = test::small_world({.peers = 3});
  return NeighbourTable(world.graph.of(me));
}

PeerMetrics vitals(std::uint32_t queue) { return {.queue = queue, .benchmark = 1s, .history = 1s}; }

}  // namespace

TEST_CASE("a neighbour is known once it has told of itself, and until it is lost") {
  NeighbourTable known = neighbours();
  CHECK(known.since(core::Time::min()).empty());
  known.heard(other, {.vitals = vitals(4), .mark = {0, 1}}, at(10s));
  REQUIRE(known.since(at(10s)).size() == 1);
  CHECK(known.since(at(10s)).front().vitals.queue == 4);
  CHECK(known.since(at(11s)).empty());
  known.lost(other);
  CHECK(known.since(at(0s)).empty());
}

TEST_CASE("tasks sent to a neighbour count until it confirms them") {
  NeighbourTable known = neighbours();
  known.begin(3);
  const auto sent = [&] { return known.since(at(0s)).front().sent; };
  const auto hear = [&](std::uint64_t number, Mark taken) {
    known.heard(other, {.vitals = vitals(4), .mark = {0, number}, .taken = taken}, at(10s));
  };
  hear(1, {});
  known.sent(other, 7, 3);
  known.sent(other, 8, 2);
  CHECK(sent() == 5);
  hear(2, {});  // it went before the transfers came
  CHECK(sent() == 5);
  hear(3, {2, 9});  // of a former life
  CHECK(sent() == 5);
  hear(4, {3, 7});
  CHECK(sent() == 2);
  hear(5, {3, 8});
  CHECK(sent() == 0);
}

TEST_CASE("tasks sent to a former life of a neighbour are not on their way, nor refused ones") {
  NeighbourTable known = neighbours();
  const auto hear = [&](Mark mark) {
    known.heard(other, {.vitals = vitals(4), .mark = mark}, at(10s));
    return known.since(at(0s)).front().sent;
  };
  hear({0, 1});
  known.sent(other, 1, 3);
  CHECK(hear({0, 2}) == 3);
  CHECK(hear({1, 1}) == 0);
  known.sent(other, 2, 3);
  known.lost(other);
  CHECK(hear({1, 2}) == 0);
}

TEST_CASE(
    "a neighbour is told which of its transfers has come, the latest if one overtook others") {
  NeighbourTable known = neighbours();
  const auto taken = [&] { return known.tell(other, vitals(0), at(1s)).taken; };
  CHECK(taken() == Mark{});
  known.came(other, {0, 4});
  known.came(other, {0, 3});
  CHECK(taken() == Mark{0, 4});
  known.came(other, {1, 1});
  CHECK(taken() == Mark{1, 1});
}

TEST_CASE("a neighbour's older word does not count after its newer one") {
  NeighbourTable known = neighbours();
  const auto hear = [&](Mark mark, std::uint32_t queue) {
    return known.heard(other, {.vitals = vitals(queue), .mark = mark}, at(10s));
  };
  const auto queue = [&] { return known.since(at(0s)).front().vitals.queue; };
  CHECK(hear({0, 2}, 6));
  CHECK_FALSE(hear({0, 1}, 4));
  CHECK_FALSE(hear({0, 2}, 4));
  CHECK(queue() == 6);
  CHECK(hear({1, 1}, 3));  // of a later life
  CHECK_FALSE(hear({0, 9}, 8));
  CHECK(queue() == 3);
}

TEST_CASE("a peer that asks for work has none") {
  NeighbourTable known = neighbours();
  known.asks(other);
  CHECK(known.since(core::Time::min()).empty());
  known.heard(other, {.vitals = vitals(4), .mark = {0, 1}}, at(10s));
  known.asks(other);
  CHECK(known.since(at(0s)).front().vitals.queue == 0);
}

TEST_CASE(
    "how far a neighbour is away is half of the way there and back, without the time between") {
  NeighbourTable known = neighbours();
  static_cast<void>(known.tell(other, vitals(0), at(1s)));
  const Info info = known.tell(other, vitals(0), at(10s));
  CHECK(info.mark == Mark{0, 2});
  CHECK(info.echo == Mark{});
  std::uint64_t number = 0;
  const auto latency = [&](Mark echo) {
    known.heard(other, {.mark = {0, ++number}, .echo = echo, .held = 2s}, at(13s));
    return known.since(at(0s)).front().latency;
  };
  CHECK(latency({0, 1}) == 0);  // when an older one was sent is not known
  CHECK(latency({1, 2}) == 0);  // of another life
  CHECK(latency({0, 2}) == doctest::Approx(0.5));
  CHECK(latency({0, 1}) == doctest::Approx(0.5));
  const Info answer = known.tell(other, vitals(0), at(15s));
  CHECK(answer.echo == Mark{0, 4});
  CHECK(answer.held == 2s);
}

}  // namespace rhizome::vector_neighbours_test
