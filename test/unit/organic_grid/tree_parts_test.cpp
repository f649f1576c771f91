// The parts of an agent that have rules, each without the agent.
#include <doctest/doctest.h>

#include <chrono>
#include <vector>

#include "agents/client.hpp"
#include "agents/organic_grid/tree/child_ranking.hpp"
#include "agents/organic_grid/tree/hosting.hpp"
#include "agents/organic_grid/tree/inquiries.hpp"
#include "agents/organic_grid/tree/parent_lease.hpp"
#include "agents/pieces.hpp"
#include "test/support/scene.hpp"

namespace rhizome::tree_parts_test {

using namespace agents::grid;
using namespace std::chrono_literals;
using core::PeerId;

namespace {

constexpr PeerId root{0};
constexpr PeerId me{1};
constexpr PeerId parent{2};
constexpr PeerId child{3};
constexpr PeerId mover{4};

agents::Task task(std::uint32_t portion) {
  return {.id = {0, portion}, .duration = std::chrono::milliseconds(100)};
}

// The parts of a node that need others, wired as in the agent; each test speaks to one of them.
struct Node {
  Home home;
  test::Scene<Messages, Env> scene{me};
  Lineage lineage{root, home};
  Missing missing{lineage, home};
  Trail trail;
  Upstream up{lineage, home, trail};
  Stock stock{lineage, home, up, trail};
  Downstream down{lineage, home, stock, missing};
  Moves moves{lineage, home, up, down};
  Hosting hosting{lineage, home, {stock, up, moves, down}};
  ChildRanking ranking{lineage, home, {stock, up, moves, down}};
  ParentLease parent_lease{lineage, {stock, up, moves, missing}};
  Window window{home.options.burst, home.options.max_window};
  Forwarding forwarding{lineage, home, stock, trail};
  Inquiries inquiries{lineage, home, {stock, up, down, trail, forwarding, window}};

  explicit Node(const Options& options = {}, const std::vector<PeerId>& neighbours = {})
      : home{options, neighbours, 9} {}
  // Two steps below the root, in stay 1.
  void join() {
    lineage.descend({parent, root});
    up.attach(scene.env(), {.parent = parent, .epoch = 1}, "join");
  }
  // A child in its stay 1.
  Child& with_child() {
    Child& made = down.children().add(child, scene.now());
    made.epoch = 1;
    return made;
  }
};

}  // namespace

TEST_CASE("a node asks for the missing tasks once half of its goal is used up, and not again") {
  Node node;
  node.join();
  const Upstream::Need need{.stock = 0, .goal = 4, .deficits = 3, .hands = 1, .last = false};
  node.up.settle(node.scene.env(), need);
  node.up.settle(node.scene.env(), need);
  const auto demands = node.scene.sent<Demand>();
  REQUIRE(demands.size() == 1);
  CHECK(demands[0].first == parent);
  CHECK(demands[0].second.demanded == 7);
}

TEST_CASE("a node with more than half of its goal, and no deficits, asks for nothing") {
  Node node;
  node.join();
  node.up.settle(node.scene.env(),
                 {.stock = 3, .goal = 4, .deficits = 0, .hands = 1, .last = false});
  CHECK(node.scene.sent<Demand>().empty());
}

TEST_CASE("tasks that a node needs no longer are asked for less with the next sign of life") {
  Node node;
  node.join();
  Upstream::Need need{.stock = 0, .goal = 4, .deficits = 996, .hands = 1, .last = false};
  node.up.settle(node.scene.env(), need);
  need.deficits = 0;  // the children have left
  node.up.settle(node.scene.env(), need);
  node.scene.pass(node.home.options.heartbeat());
  node.up.say_alive(node.scene.env());
  const auto signs = node.scene.sent<Alive>();
  REQUIRE(signs.size() == 1);
  CHECK(signs[0].second.demanded == 4);
}

TEST_CASE("a child that has been quiet may ask for less than before") {
  Node node;
  const Child& asking = node.with_child();
  node.down.on(node.scene.env(), child, Demand{root, 1, 1000, 0});
  node.down.on(node.scene.env(), child, Demand{root, 1, 999, 0});  // late
  CHECK(asking.deficit() == 1000);
  node.down.on(node.scene.env(), child, Alive{root, 1, 4, 0});
  CHECK(asking.deficit() == 4);
}

TEST_CASE("tasks and results of thousands travel in messages that can be read") {
  constexpr std::uint32_t many = 20'000;
  Node node;
  node.join();
  node.with_child();
  std::vector<agents::Task> tasks;
  for (std::uint32_t i = 0; i < many; ++i) tasks.push_back(task(i));
  node.stock.add(tasks);
  node.down.on(node.scene.env(), child, Demand{root, 1, many, 0});
  node.down.serve(node.scene.env());
  for (std::uint32_t i = 0; i < many; ++i) node.up.hold({{0, i}, me});
  node.up.say_alive(node.scene.env());
  std::size_t supplied = 0;
  for (const auto& [to, supply] : node.scene.sent<Supply>()) {
    CHECK(supply.first == supplied);
    CHECK(supply.tasks.size() <= agents::most_in_message);
    supplied += supply.tasks.size();
  }
  CHECK(supplied == many);
  std::size_t told = 0;
  for (const auto& [to, results] : node.scene.sent<Results>()) {
    CHECK(results.first == told);
    told += results.list.size();
  }
  CHECK(told == many);
}

TEST_CASE("results wait for a burst, or until nothing is left to be done") {
  Node node;
  node.join();
  Upstream::Need need{.stock = 0, .goal = 0, .deficits = 0, .hands = 1, .last = false};
  node.up.hold({{0, 0}, me});
  node.up.settle(node.scene.env(), need);
  CHECK(node.scene.sent<Results>().empty());
  need.last = true;
  node.up.settle(node.scene.env(), need);
  REQUIRE(node.scene.sent<Results>().size() == 1);
  CHECK(node.up.holds({0, 0}));  // the parent has not confirmed it
  node.up.heard(node.scene.env(), 1);
  CHECK_FALSE(node.up.holds({0, 0}));
}

TEST_CASE("results of a stay that has ended are in these hands until the former parent has them") {
  Node node;
  node.join();
  node.up.hold({{0, 0}, me});
  node.up.say_alive(node.scene.env());
  node.up.detach(node.scene.env(), "recovery");
  CHECK(node.up.holds({0, 0}));
  node.up.on(node.scene.env(), parent, Settled{root, 1, 1});
  CHECK_FALSE(node.up.holds({0, 0}));
}

TEST_CASE("a second result is dropped while the first is in these hands") {
  Node node;
  node.join();
  node.stock.take_result(node.scene.env(), {{0, 0}, me});
  node.stock.take_result(node.scene.env(), {{0, 0}, child});
  node.up.say_alive(node.scene.env());
  REQUIRE(node.scene.sent<Results>().size() == 1);
  CHECK(node.scene.sent<Results>()[0].second.list.size() == 1);
}

TEST_CASE("the root tells every result of a task that was submitted, and no other") {
  Node node;
  node.lineage.become_root();
  node.stock.enter({task(0)});
  node.stock.take_result(node.scene.env(), {{0, 0}, child});
  node.stock.take_result(node.scene.env(), {{0, 0}, child});
  node.stock.take_result(node.scene.env(), {{7, 7}, child});
  CHECK(node.scene.raised<agents::Finished>() == 2);
}

TEST_CASE("a completed task is not handed out again, and an open one is") {
  Node node;
  node.lineage.become_root();
  node.stock.enter({task(0), task(1)});
  static_cast<void>(node.stock.lend({child, 1}, node.scene.now()));
  static_cast<void>(node.stock.lend({child, 1}, node.scene.now()));
  node.stock.take_result(node.scene.env(), {{0, 0}, child});
  node.stock.reissue(node.scene.env(), task(0), child, "dead child");
  CHECK(node.stock.empty());
  node.stock.recall(node.scene.env(), {child, 1}, "dead child");
  REQUIRE(node.stock.size() == 1);
  CHECK(node.stock.next()->id == agents::TaskId{0, 1});
}

TEST_CASE(
    "a peer that is no child of that stay is told so, and late news of a former stay is ignored") {
  Node node;
  node.with_child().epoch = 5;
  CHECK(node.down.heard(node.scene.env(), mover, {1, 0, 0}) == nullptr);
  REQUIRE(node.scene.sent<Stranger>().size() == 1);
  CHECK(node.scene.sent<Stranger>()[0].first == mover);
  CHECK(node.down.heard(node.scene.env(), child, {4, 9, 0}) == nullptr);
  CHECK(node.scene.sent<Stranger>().size() == 1);
  CHECK(node.down.children().find(child)->demanded == 0);
}

TEST_CASE("tasks that a leaving child never received lie here again, the first of them first") {
  Node node;
  node.join();
  node.stock.add(std::vector{task(0), task(1), task(2)});
  node.with_child().demanded = 3;
  node.down.serve(node.scene.env());
  REQUIRE(node.stock.empty());
  node.down.on(node.scene.env(), child, Leave{root, 1, 1});
  REQUIRE(node.stock.size() == 2);
  CHECK(node.stock.next()->id == agents::TaskId{0, 1});
  node.down.on(node.scene.env(), child, Leave{root, 1, 1});  // a second copy
  CHECK(node.stock.size() == 2);
  CHECK(node.scene.sent<Settled>().size() == 2);
}

TEST_CASE("a silent child is dead: its tasks are handed out again, and it is missed") {
  Node node;
  node.join();
  node.stock.add(std::vector{task(0)});
  node.with_child().demanded = 1;
  node.down.serve(node.scene.env());
  node.scene.pass(node.home.options.timeout + 1ms);
  node.down.check(node.scene.env());
  CHECK_FALSE(node.down.children().has(child));
  CHECK(node.stock.size() == 1);
  node.lineage.learn(0s, node.scene.now());
  node.scene.pass(2 * node.home.options.timeout);
  node.missing.recall(node.scene.env());
  REQUIRE(node.scene.sent<Recall>().size() == 1);
  CHECK(node.scene.sent<Recall>()[0].first == child);
}

TEST_CASE("a host below the root admits a mover at once, and one further down lets it climb") {
  Node high;
  high.lineage.descend({root});
  high.up.attach(high.scene.env(), {.parent = root, .epoch = 1}, "join");
  high.hosting.on(high.scene.env(), mover, Adopt{root, 8, true});
  CHECK(high.scene.sent<Accept>().size() == 1);

  Node low;
  low.join();
  low.hosting.on(low.scene.env(), mover, Adopt{root, 8, true});
  CHECK(low.scene.sent<Accept>().empty());
  CHECK(low.scene.sent<Wait>().size() == 1);
  REQUIRE(low.scene.sent<Climb>().size() == 1);
  CHECK(low.scene.sent<Climb>()[0].first == parent);
  low.hosting.on(low.scene.env(), mover, Adopt{root, 9, false});  // a leaf need not climb
  CHECK(low.scene.sent<Accept>().size() == 1);
}

TEST_CASE("no node is taken in while the host moves, nor any of its ancestors") {
  Node node;
  node.join();
  node.hosting.on(node.scene.env(), parent, Adopt{root, 8, false});
  CHECK(node.scene.sent<Reject>().size() == 1);
  node.moves.on(node.scene.env(), parent, Move{root, PeerId{7}});
  REQUIRE(node.moves.under_way());
  node.hosting.on(node.scene.env(), mover, Adopt{root, 8, false});
  CHECK(node.scene.sent<Reject>().size() == 2);
  CHECK(node.scene.sent<Accept>().empty());
}

TEST_CASE("a request does not climb past its mover, its host or a moving node") {
  Node node;
  node.join();
  const auto climb = [&](PeerId who, PeerId host) {
    node.hosting.on(node.scene.env(), child, Climb{root, who, 8, host, 1, 0});
  };
  climb(mover, child);
  CHECK(node.scene.sent<Climb>().size() == 1);
  climb(me, child);
  climb(mover, me);
  node.moves.on(node.scene.env(), parent, Move{root, PeerId{7}});
  climb(mover, child);
  CHECK(node.scene.sent<Climb>().size() == 1);
  REQUIRE(node.scene.sent<Climbed>().size() == 3);
  for (const auto& [to, answer] : node.scene.sent<Climbed>()) CHECK_FALSE(answer.clear);
}

TEST_CASE("an acceptance that its receiver does not wait for is given back") {
  Node node;
  node.join();
  node.moves.on(node.scene.env(), mover, Accept{root, 8, 0s, {mover, root}});
  REQUIRE(node.scene.sent<Leave>().size() == 1);
  CHECK(node.scene.sent<Leave>()[0].first == mover);
  CHECK(node.up.parent() == parent);
}

TEST_CASE("a mover that finds itself above its host goes on to the next") {
  Node node;
  node.join();
  node.moves.on(node.scene.env(), parent, Evict{root, {mover, PeerId{7}}});
  const auto asked = node.scene.sent<Adopt>();
  REQUIRE(asked.size() == 1);
  node.moves.on(node.scene.env(), mover,
                Accept{root, asked[0].second.epoch, 0s, {mover, me, root}});
  CHECK(node.up.parent() == parent);
  REQUIRE(node.scene.sent<Adopt>().size() == 2);
  CHECK(node.scene.sent<Adopt>()[1].first == PeerId{7});
}

TEST_CASE("the best child is offered after a full window, unless promotion is off") {
  for (const bool promotion : {true, false}) {
    Options options;
    options.promotion = promotion;
    Node node(options);
    node.join();
    node.with_child();
    const std::uint32_t window = options.full_window();
    for (std::uint32_t i = 0; i < window; ++i) {
      node.scene.pass(10ms);
      node.ranking.on(node.scene.env(), child, Results{root, 1, i, 0, 0, {{{0, i}, child}}});
    }
    CHECK(node.scene.sent<Offer>().size() == (promotion ? 1 : 0));
  }
}

TEST_CASE("a supply is taken once, and only from the parent of this stay") {
  Node node;
  node.join();
  const Supply supply{root, 1, 0, 0, 0s, {parent, root}, {task(0), task(1)}};
  node.parent_lease.on(node.scene.env(), parent, supply);
  node.parent_lease.on(node.scene.env(), parent, supply);
  node.parent_lease.on(node.scene.env(), mover, supply);
  CHECK(node.stock.size() == 2);
}

TEST_CASE("a node that finds itself among its ancestors leaves") {
  Node node;
  node.join();
  node.parent_lease.on(node.scene.env(), parent, AliveToo{root, 1, 0, 0s, {parent, me, root}});
  CHECK_FALSE(node.up.attached());
  CHECK(node.scene.sent<Leave>().size() == 1);
}

TEST_CASE("an orphan that keeps no ancestors asks the root before its neighbours") {
  Options options;
  options.ancestors = 0;
  Node node(options, {mover});
  node.join();
  node.moves.orphan(node.scene.env(), "recovery");
  REQUIRE_FALSE(node.scene.sent<Adopt>().empty());
  CHECK(node.scene.sent<Adopt>()[0].first == root);
}

TEST_CASE("a silent parent is left, and another is sought") {
  Node node;
  node.join();
  node.scene.pass(node.home.options.timeout + 1ms);
  node.parent_lease.tick(node.scene.env());
  CHECK_FALSE(node.up.attached());
  CHECK(node.moves.under_way());
  REQUIRE_FALSE(node.scene.sent<Adopt>().empty());
  CHECK(node.scene.sent<Adopt>()[0].first == root);
}

}  // namespace rhizome::tree_parts_test
