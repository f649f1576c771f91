// Forwarding addresses: a node that leaves for good tells the root about tasks that came by it.
#include <doctest/doctest.h>

#include "agents/organic_grid/tree/forwarding.hpp"
#include "test/support/scene.hpp"

namespace rhizome::forwarding_test {

using namespace agents::grid;
using core::PeerId;

namespace {

constexpr PeerId root{0};
constexpr PeerId me{1};
constexpr PeerId child{2};
constexpr PeerId other{3};

struct Node {
  Home home{Options{}, {}, 9};
  test::Scene<Messages, Env> scene;
  Lineage lineage{root, home};
  Trail trail;
  Upstream up{lineage, home, trail};
  Stock stock{lineage, home, up, trail};
  Forwarding forwarding{lineage, home, stock, trail};

  explicit Node(PeerId self) : scene(self) {
    if (self == root) lineage.become_root();
  }
  bool hand_over() { return forwarding.hand_over(scene.env()); }
};

// It has passed one task on to a child that moved away, and given another back to the root.
struct Leaving : Node {
  Leaving() : Node(me) {
    trail.leave({0, 0}, child, 1);
    trail.leave({0, 1}, root, 1);
  }
  std::size_t told() { return scene.sent<ForwardingAddresses>().size(); }
  void keep(PeerId from) { forwarding.on(scene.env(), from, AddressesKept{root, {{0, 0}}}); }
};

}  // namespace

TEST_CASE("a node tells the root where tasks went, and stays until the root has all of it") {
  Leaving node;
  CHECK_FALSE(node.hand_over());
  REQUIRE(node.told() == 1);
  const auto [to, message] = node.scene.sent<ForwardingAddresses>().front();
  CHECK(to == root);
  CHECK(message.list == std::vector<Passed>{{{0, 0}, child}});
  node.keep(other);
  CHECK_FALSE(node.hand_over());
  node.keep(root);
  CHECK(node.hand_over());
  CHECK(node.told() == 1);
}

TEST_CASE("a node tells the root where tasks went once more after a heartbeat without an answer") {
  Leaving node;
  CHECK_FALSE(node.hand_over());
  node.scene.pass(node.home.options.heartbeat() - core::Duration(1));
  CHECK_FALSE(node.hand_over());
  CHECK(node.told() == 1);
  node.scene.pass(core::Duration(1));
  CHECK_FALSE(node.hand_over());
  CHECK(node.told() == 2);
}

TEST_CASE("a node that has passed nothing on leaves at once, and one that stays forgets nothing") {
  Node idle(me);
  CHECK(idle.hand_over());
  CHECK(idle.scene.effects() == 0);
  Leaving node;
  node.keep(root);
  CHECK(node.trail.to({0, 0}) == child);
}

TEST_CASE("a root keeps where the tasks that it lent went, and answers for all") {
  Node node(root);
  node.stock.enter({{.id = {0, 0}}, {.id = {0, 1}}});
  static_cast<void>(node.stock.lend({child, 1}, node.scene.now()));
  node.forwarding.on(node.scene.env(), child,
                     ForwardingAddresses{root, {{{0, 0}, other}, {{0, 1}, other}}});
  CHECK(node.forwarding.address({0, 0}, child) == other);
  CHECK_FALSE(node.forwarding.address({0, 1}, child));
  CHECK_FALSE(node.forwarding.address({0, 0}, other));
  REQUIRE(node.scene.sent<AddressesKept>().size() == 1);
  CHECK(node.scene.sent<AddressesKept>()[0].first == child);
  CHECK(node.scene.sent<AddressesKept>()[0].second.tasks ==
        std::vector<agents::TaskId>{{0, 0}, {0, 1}});
}

TEST_CASE("the later word of a node that has left twice counts, and only a root keeps any") {
  Node node(root);
  node.stock.enter({{.id = {0, 0}}});
  static_cast<void>(node.stock.lend({child, 1}, node.scene.now()));
  for (const PeerId to : {me, other})
    node.forwarding.on(node.scene.env(), child, ForwardingAddresses{root, {{{0, 0}, to}}});
  CHECK(node.forwarding.address({0, 0}, child) == other);
  Node inner(me);
  inner.forwarding.on(inner.scene.env(), child, ForwardingAddresses{root, {{{0, 0}, other}}});
  CHECK(inner.scene.effects() == 0);
}

}  // namespace rhizome::forwarding_test
