// The initial groups of Air Traffic Control: the leader of each worker.
#include <doctest/doctest.h>

#include "agents/air_traffic/layout.hpp"
#include "test/support/small_world.hpp"

namespace rhizome::air_traffic_layout_test {

using agents::traffic::GroupLayout;
using agents::traffic::make_layout;
using agents::traffic::Places;
using core::PeerId;

TEST_CASE("every peer has its place of one layout, and only leaders know their groups") {
  const test::World world = test::small_world({.peers = 61});
  const auto layout = make_layout({}, world);
  const Places places({}, world);
  CHECK(places.of(world.source).leader == core::no_peer);
  for (const GroupLayout& group : layout) {
    const GroupLayout led = places.of(group.leader);
    CHECK(led.leader == group.leader);
    CHECK(led.members.size() == group.members.size());
    CHECK(led.edges == group.edges);
    for (const auto& member : group.members) {
      CHECK(places.of(member.id).leader == group.leader);
      CHECK(places.of(member.id).members.empty());
    }
  }
}

TEST_CASE("leaders are neighbours where their groups are, and on a ring") {
  test::World world = test::small_world({.peers = 11});
  world.graph.neighbours.assign(11, {});
  world.graph.neighbours[1] = {PeerId{8}};
  world.graph.neighbours[8] = {PeerId{1}};
  const auto layout = make_layout({.leaders = 5}, world);  // of 1, 3, 5, 7 and 9
  CHECK(layout[0].edges == std::vector{PeerId{3}, PeerId{7}, PeerId{9}});
  CHECK(layout[1].edges == std::vector{PeerId{1}, PeerId{5}});
}

TEST_CASE("a complete graph without lists makes the same layout as one with them") {
  const test::World listed = test::small_world({.peers = 61});
  test::World implied = test::small_world({.peers = 61});
  implied.graph = {.neighbours = {}, .complete = 61};
  const auto a = make_layout({}, listed);
  const auto b = make_layout({}, implied);
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) CHECK(a[i].edges == b[i].edges);
}

}  // namespace rhizome::air_traffic_layout_test
