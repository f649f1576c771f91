// How a node of the tree leaves once its peer is to be given back.
#include <doctest/doctest.h>

#include <chrono>
#include <vector>

#include "agents/organic_grid/tree/tree_node.hpp"
#include "test/support/scene.hpp"

namespace rhizome::draining_test {

using namespace agents::grid;
using namespace std::chrono_literals;
using core::PeerId;

namespace {

constexpr PeerId root{0};
constexpr PeerId me{1};
constexpr PeerId parent{2};
constexpr PeerId child{3};

agents::Task task(std::uint32_t portion) { return {.id = {0, portion}, .duration = 100ms}; }

// A node two steps below the root, in its stay 1.
struct Node {
  Node() { tree.join(scene.env(), parent, Clone{root, {}, {parent, root}}); }
  void receive(const std::vector<agents::Task>& tasks) {
    tree.on(scene.env(), parent, Supply{root, 1, 0, 0, {}, {parent, root}, tasks});
  }
  void settle() {
    tree.settle(scene.env(), {.idle = true, .hands = 1, .ahead = 0, .begged = false});
  }
  Home home{Options{}, {}, 9};
  test::Scene<Messages, Env> scene{me};
  TreeNode tree{root, home};
};

}  // namespace

TEST_CASE("a node that is to leave takes no children") {
  Node stays;
  stays.tree.on(stays.scene.env(), child, Adopt{root, 8, false});
  CHECK(stays.scene.sent<Accept>().size() == 1);
  Node leaves;
  leaves.home.draining = true;
  leaves.tree.on(leaves.scene.env(), child, Adopt{root, 8, false});
  CHECK(leaves.scene.sent<Accept>().empty());
  CHECK(leaves.scene.sent<Reject>().size() == 1);
}

TEST_CASE("a node leaves its parent once its results have been confirmed") {
  Node node;
  node.receive({task(0)});
  const agents::Task taken = node.tree.take_task(node.scene.env());
  node.home.draining = true;
  node.tree.executed(node.scene.env(), taken, 100ms);
  node.settle();
  CHECK_FALSE(node.tree.part(node.scene.env()));
  CHECK(node.scene.sent<Leave>().empty());
  node.tree.on(node.scene.env(), parent, AliveToo{root, 1, 1, {}, {parent, root}});
  static_cast<void>(node.tree.part(node.scene.env()));
  CHECK(node.scene.sent<Leave>().size() == 1);
}

TEST_CASE("a node that is to leave sends a child away once it has all results of lent tasks") {
  Node node;
  node.receive({task(0)});
  node.tree.on(node.scene.env(), child, Adopt{root, 8, false});
  node.tree.on(node.scene.env(), child, Demand{root, 8, 1, 0});
  node.settle();
  REQUIRE(node.scene.sent<Supply>().size() == 1);
  node.home.draining = true;
  node.settle();
  CHECK(node.scene.sent<Evict>().empty());
  node.tree.on(node.scene.env(), child, Results{root, 8, 0, 1, 1, {{{{0, 0}}, child}}});
  node.settle();
  CHECK(node.scene.sent<Evict>().size() == 1);
}

}  // namespace rhizome::draining_test
