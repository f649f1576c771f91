// How tasks that are out for long are found: the root's questions, the answers of nodes that had
// the tasks, and when a task is handed out again.
#include <doctest/doctest.h>

#include <chrono>
#include <vector>

#include "agents/organic_grid/tree/child_ranking.hpp"
#include "agents/organic_grid/tree/inquiries.hpp"
#include "agents/organic_grid/tree/parent_lease.hpp"
#include "test/support/scene.hpp"

namespace rhizome::inquiries_test {

using namespace agents::grid;
using namespace std::chrono_literals;
using core::PeerId;

namespace {

constexpr PeerId root{0};
constexpr PeerId parent{2};
constexpr PeerId child{3};
constexpr PeerId other{4};
constexpr PeerId third{5};

agents::Task task(std::uint32_t portion) {
  return {.id = {0, portion}, .duration = std::chrono::milliseconds(100)};
}

// The parts of a node that inquiries use, for a root or a node in its stay 1.
struct Node {
  Home home{Options{}, {}, 9};
  test::Scene<Messages, Env> scene;
  Lineage lineage{root, home};
  Missing missing{lineage, home};
  Trail trail;
  Upstream up{lineage, home, trail};
  Stock stock{lineage, home, up, trail};
  Downstream down{lineage, home, stock, missing};
  Moves moves{lineage, home, up, down};
  ParentLease parent_lease{lineage, {stock, up, moves, missing}};
  Window window{home.options.burst, home.options.max_window};
  Forwarding forwarding{lineage, home, stock, trail};
  Inquiries inquiries{lineage, home, {stock, up, down, trail, forwarding, window}};

  explicit Node(PeerId self) : scene(self) {
    if (self == root) {
      lineage.become_root();
    } else {
      lineage.descend({parent, root});
      up.attach(scene.env(), {.parent = parent, .epoch = 1}, "join");
    }
  }
  // Tasks that a child in its stay 1 has been lent and has.
  void lend(std::uint32_t tasks) {
    Child& made = down.children().add(child, scene.now());
    made.epoch = 1;
    made.demanded = tasks;
    down.serve(scene.env());
    down.on(scene.env(), child, Demand{root, 1, tasks, tasks});
  }
  // The only answer to a question of the root.
  Whereabouts where(std::uint32_t portion, std::uint64_t wanted = 0) {
    inquiries.on(scene.env(), root, Inquiry{root, 1, wanted, {{0, portion}}});
    const auto replies = scene.sent<InquiryReply>();
    REQUIRE_FALSE(replies.empty());
    REQUIRE(replies.back().second.list.size() == 1);
    return replies.back().second.list.front();
  }
};

// A root whose child has had a task for longer than a time-out.
struct Doubting : Node {
  Doubting() : Node(root) {
    stock.enter({task(0)});
    lend(1);
    wait(home.options.timeout + 1ms);
  }
  // Passes time while one hand is idle.
  void wait(core::Duration time) {
    scene.pass(time);
    inquiries.tick(scene.env(), 1);
  }
  std::size_t asked(PeerId peer) {
    std::size_t count = 0;
    for (const auto& [to, inquiry] : scene.sent<Inquiry>()) count += to == peer ? 1 : 0;
    return count;
  }
  void answer(PeerId from, Place place, PeerId to = core::no_peer) {
    const std::uint64_t number = scene.sent<Inquiry>().back().second.number;
    inquiries.on(scene.env(), from, InquiryReply{root, number, {{{0, 0}, place, to}}});
  }
  // Hands over the forwarding address of node `from`, which had passed the task on and then left.
  void tell_address(PeerId from, PeerId to) {
    forwarding.on(scene.env(), from, ForwardingAddresses{root, {{{0, 0}, to}}});
  }
};

}  // namespace

TEST_CASE("a root asks for tasks that are out for long if a hand is idle and no task is left") {
  Node node(root);
  node.stock.enter({task(0), task(1)});
  node.lend(1);
  node.inquiries.tick(node.scene.env(), 1);
  node.scene.pass(node.home.options.timeout + 1ms);
  node.inquiries.tick(node.scene.env(), 1);  // there is another task
  static_cast<void>(node.stock.take(node.scene.env()));
  node.inquiries.tick(node.scene.env(), 0);  // no hand is idle
  CHECK(node.scene.sent<Inquiry>().empty());
  node.inquiries.tick(node.scene.env(), 1);
  const auto asked = node.scene.sent<Inquiry>();
  REQUIRE(asked.size() == 1);  // not about tasks that it runs itself
  CHECK(asked[0].first == child);
  CHECK(asked[0].second.tasks == std::vector<agents::TaskId>{{0, 0}});
}

TEST_CASE(
    "a task that lives somewhere is not handed out again, and asked for after twice as long") {
  for (const Place place : {Place::waiting, Place::running, Place::done}) {
    Doubting node;
    REQUIRE(node.asked(child) == 1);
    node.answer(child, place);
    node.wait(node.home.options.timeout - 2ms);
    CHECK(node.asked(child) == 1);
    node.wait(2ms);
    CHECK(node.asked(child) == 2);
    CHECK(node.stock.empty());
  }
}

TEST_CASE("the peer that a task was passed to is asked next, and answers of others are ignored") {
  Doubting node;
  node.answer(other, Place::unknown);
  CHECK(node.stock.empty());
  node.answer(child, Place::passed, other);
  CHECK(node.asked(other) == 1);
  node.answer(child, Place::unknown);
  CHECK(node.stock.empty());
}

TEST_CASE("a task that its borrower has lost is handed out again") {
  Doubting node;
  node.answer(child, Place::unknown);
  CHECK(node.stock.size() == 1);
}

TEST_CASE("a task is lost where its way ends twice at the same peer") {
  Doubting node;
  node.answer(child, Place::passed, other);
  node.answer(other, Place::unknown);
  CHECK(node.stock.empty());
  REQUIRE(node.asked(child) == 2);  // the way is gone once more
  node.answer(child, Place::passed, other);
  REQUIRE(node.asked(other) == 2);
  node.answer(other, Place::unknown);
  CHECK(node.stock.size() == 1);
}

TEST_CASE(
    "a node that has left and is here anew does not know where a task went, but the root does") {
  Doubting node;
  node.tell_address(other, third);
  node.answer(child, Place::passed, other);
  REQUIRE(node.asked(other) == 1);
  node.answer(other, Place::unknown);
  CHECK(node.asked(third) == 1);
  node.answer(third, Place::running);
  CHECK(node.stock.empty());
}

TEST_CASE("if a node that has left is silent the root asks the peer that it passed the task to") {
  Doubting node;
  node.tell_address(child, third);
  for (int i = 0; i < 9; ++i) node.wait(node.home.options.heartbeat());
  CHECK(node.asked(third) == 1);
  CHECK(node.stock.empty());
}

TEST_CASE("a task is lost where its way ends twice behind a node that has left") {
  Doubting node;
  node.tell_address(child, third);
  node.answer(child, Place::unknown);
  node.answer(third, Place::unknown);
  CHECK(node.stock.empty());
  node.answer(child, Place::unknown);
  REQUIRE(node.asked(third) == 2);
  node.answer(third, Place::unknown);
  CHECK(node.stock.size() == 1);
}

TEST_CASE("the way of a task that came back says nothing of a later loan") {
  Doubting node;
  node.tell_address(child, third);
  node.answer(child, Place::passed, root);
  REQUIRE(node.stock.size() == 1);
  node.down.on(node.scene.env(), child, Demand{root, 1, 2, 1});
  node.down.serve(node.scene.env());
  node.down.on(node.scene.env(), child, Demand{root, 1, 2, 2});
  node.wait(node.home.options.timeout + 1ms);
  node.answer(child, Place::unknown);
  CHECK(node.asked(third) == 0);
  CHECK(node.stock.size() == 1);
}

TEST_CASE("a question is repeated less and less often, and a silent node has lost the task") {
  Doubting node;
  node.answer(child, Place::passed, other);
  const auto ticks = [&](int heartbeats) {
    for (int i = 0; i < heartbeats; ++i) node.wait(node.home.options.heartbeat());
  };
  ticks(1);
  CHECK(node.asked(other) == 2);
  ticks(1);
  CHECK(node.asked(other) == 2);
  ticks(1);
  CHECK(node.asked(other) == 3);
  ticks(5);
  CHECK(node.asked(other) == 4);
  node.wait(1ms);
  REQUIRE(node.asked(child) == 2);
  CHECK(node.stock.empty());
  node.answer(child, Place::passed, other);
  CHECK(node.stock.size() == 1);
}

TEST_CASE("an answer to a question that was settled says nothing of a later loan") {
  Doubting node;
  const std::uint64_t old = node.scene.sent<Inquiry>().back().second.number;
  node.answer(child, Place::passed, root);  // it was given back
  REQUIRE(node.stock.size() == 1);
  node.down.on(node.scene.env(), child, Demand{root, 1, 2, 1});
  node.down.serve(node.scene.env());
  node.down.on(node.scene.env(), child, Demand{root, 1, 2, 2});
  REQUIRE(node.stock.empty());
  node.wait(node.home.options.timeout + 1ms);
  REQUIRE(node.asked(child) == 2);
  node.inquiries.on(node.scene.env(), child,
                    InquiryReply{root, old, {{{0, 0}, Place::passed, root}}});
  CHECK(node.stock.empty());
}

TEST_CASE("a root does not ask for a task that has not arrived: it is sent again") {
  Node node(root);
  node.stock.enter({task(0)});
  Child& made = node.down.children().add(child, node.scene.now());
  made.epoch = made.demanded = 1;
  node.down.serve(node.scene.env());
  node.scene.pass(node.home.options.timeout + 1ms);
  node.inquiries.tick(node.scene.env(), 1);
  CHECK(node.scene.sent<Inquiry>().empty());
}

TEST_CASE("a node knows of tasks that wait, run, are done or were never here") {
  Node node(PeerId{1});
  CHECK(node.where(0) == Whereabouts{{0, 0}, Place::unknown, core::no_peer});
  node.parent_lease.on(node.scene.env(), parent,
                       Supply{root, 1, 0, 0, 0s, {parent, root}, {task(0), task(1)}});
  CHECK(node.where(0).place == Place::waiting);
  static_cast<void>(node.stock.take(node.scene.env()));
  CHECK(node.where(0).place == Place::running);
  node.stock.take_result(node.scene.env(), {{0, 0}, PeerId{1}});
  CHECK(node.where(0).place == Place::done);
  node.up.say_alive(node.scene.env());
  CHECK(node.where(0).place == Place::done);  // not confirmed
  node.up.heard(node.scene.env(), 1);
  CHECK(node.where(0).place == Place::unknown);  // its lender has the result
}

TEST_CASE("a task that a child has confirmed counts as passed on, also when the child has left") {
  Node node(PeerId{1});
  node.parent_lease.on(node.scene.env(), parent,
                       Supply{root, 1, 0, 0, 0s, {parent, root}, {task(0)}});
  Child& made = node.down.children().add(child, node.scene.now());
  made.epoch = made.demanded = 1;
  node.down.serve(node.scene.env());
  CHECK(node.where(0).place == Place::waiting);  // on its way, and perhaps unknown there
  node.down.on(node.scene.env(), child, Demand{root, 1, 1, 1});
  CHECK(node.where(0) == Whereabouts{{0, 0}, Place::passed, child});
  node.down.on(node.scene.env(), child, Leave{root, 1, 1});
  CHECK(node.where(0) == Whereabouts{{0, 0}, Place::passed, child});
}

TEST_CASE("a node passed on a result that another than its lender has confirmed") {
  Node node(PeerId{1});
  node.parent_lease.on(node.scene.env(), parent,
                       Supply{root, 1, 0, 0, 0s, {parent, root}, {task(0)}});
  static_cast<void>(node.stock.take(node.scene.env()));
  node.up.attach(node.scene.env(), {.parent = other, .epoch = 2}, "promotion");
  node.stock.take_result(node.scene.env(), {{0, 0}, PeerId{1}});
  node.up.say_alive(node.scene.env());
  node.up.heard(node.scene.env(), 1);
  CHECK(node.where(0) == Whereabouts{{0, 0}, Place::passed, other});
}

TEST_CASE("a result strays that comes from another node than the borrower") {
  Node node(PeerId{1});
  ChildRanking ranking{node.lineage, node.home, {node.stock, node.up, node.moves, node.down}};
  node.parent_lease.on(node.scene.env(), parent,
                       Supply{root, 1, 0, 0, 0s, {parent, root}, {task(0), task(1)}});
  node.lend(1);
  static_cast<void>(node.stock.lend({other, 1}, node.scene.now()));
  ranking.on(node.scene.env(), child,
             Results{root, 1, 0, 1, 1, {{{{0, 0}}, child}, {{{0, 1}}, child}}});
  node.up.say_alive(node.scene.env());
  REQUIRE(node.scene.sent<Results>().size() == 1);
  const auto list = node.scene.sent<Results>()[0].second.list;
  REQUIRE(list.size() == 2);
  CHECK_FALSE(list[0].strayed);
  CHECK(list[1].strayed);
}

TEST_CASE("waiting tasks go back to a root with idle hands, and are asked for no more") {
  Node node(PeerId{1});
  node.up.settle(node.scene.env(),
                 {.stock = 0, .goal = 4, .deficits = 0, .hands = 1, .last = false});
  node.parent_lease.on(node.scene.env(), parent,
                       Supply{root, 1, 0, 0, 0s, {parent, root}, {task(0), task(1)}});
  CHECK(node.where(0, 1) == Whereabouts{{0, 0}, Place::passed, root});
  CHECK(node.where(0) == Whereabouts{{0, 0}, Place::passed, root});  // the answer was lost
  CHECK(node.stock.size() == 1);
  CHECK(node.window.closed());
  REQUIRE(node.scene.sent<Alive>().size() == 1);
  CHECK(node.scene.sent<Alive>()[0].second.demanded == 2);
  node.inquiries.on(node.scene.env(), other, Inquiry{root, 1, 1, {{0, 1}}});  // `other` is no root
  CHECK(node.stock.size() == 1);
}

TEST_CASE("a result that comes back before its former parent has confirmed it goes up again") {
  Node node(PeerId{1});
  node.stock.take_result(node.scene.env(), {{0, 0}, child});
  node.up.say_alive(node.scene.env());
  node.up.attach(node.scene.env(), {.parent = other, .epoch = 2}, "promotion");
  node.stock.take_result(node.scene.env(), {{0, 0}, child});
  node.up.say_alive(node.scene.env());
  REQUIRE(node.scene.sent<Results>().size() == 2);
  CHECK(node.scene.sent<Results>()[1].first == other);
  node.up.on(node.scene.env(), parent, Settled{root, 1, 0});  // and not twice
  node.up.say_alive(node.scene.env());
  CHECK(node.scene.sent<Results>().size() == 2);
}

TEST_CASE("a stay that has an account is not taken for that of a child on trial") {
  Node node(root);
  node.down.children().add(child, node.scene.now()).epoch = 5;
  node.down.on(node.scene.env(), child, Leave{root, 5, 0});
  node.down.take_on(node.scene.env(), child, 0);  // it asked long ago
  CHECK(node.down.heard(node.scene.env(), child, {5, 0, 0}) == nullptr);
  CHECK(node.down.children().find(child)->epoch == 0);
  CHECK(node.down.heard(node.scene.env(), child, {6, 0, 0}) != nullptr);
}

TEST_CASE("a child that was sent away and is still here is no newcomer, unless it lost its state") {
  Node node(root);
  node.stock.enter({task(0)});
  node.lend(1);
  node.down.send_away(node.scene.env(), child);
  CHECK(node.down.asks_late(node.scene.env(), child, 0));
  CHECK(node.stock.empty());
  CHECK_FALSE(node.down.asks_late(node.scene.env(), child, 1));
  CHECK(node.stock.size() == 1);
}

TEST_CASE("a newcomer that asks twice before it can have answered is invited twice") {
  Node node(root);
  node.down.take_on(node.scene.env(), child, 3);
  CHECK(node.down.asks_late(node.scene.env(), child, 4));
  CHECK(node.scene.sent<Clone>().size() == 2);
  CHECK(node.down.heard(node.scene.env(), child, {5, 0, 0}) != nullptr);
  CHECK(node.scene.sent<Stranger>().empty());
}

TEST_CASE("a child whose first message is that it leaves has left: later ones are ignored") {
  Node node(root);
  node.down.take_on(node.scene.env(), child, 3);
  node.down.on(node.scene.env(), child, Leave{root, 4, 0});
  CHECK_FALSE(node.down.children().has(child));
  CHECK(node.down.heard(node.scene.env(), child, {4, 0, 0}) == nullptr);
  CHECK(node.scene.sent<Stranger>().empty());
}

}  // namespace rhizome::inquiries_test
