// A locator by itself: message in, effects out. Peers are 0 to 4, and 0 is the home.
#include "agents/locator/locator.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "test/support/locator_desk.hpp"

namespace rhizome::locator_test {

using namespace agents;
using namespace agents::locator;

using namespace test::desk;

TEST_CASE("a task goes with its next epoch and the peer that it leaves") {
  Desk desk;
  desk.place(mobile());
  REQUIRE(desk.move(2));
  REQUIRE(desk.sent<Move>(2).size() == 1);
  CHECK(desk.sent<Move>(2)[0].mobile.epoch == 1);
  CHECK(desk.sent<Move>(2)[0].mobile.visited == std::vector<PeerId>{PeerId{1}});
  CHECK_FALSE(desk.move(3));
}

TEST_CASE("a task that has begun, or is nowhere near, does not move") {
  Desk desk;
  CHECK_FALSE(desk.move(2));
  desk.place(mobile({}));
  CHECK(desk.out.ready == std::vector<TaskId>{mover});
  CHECK_FALSE(desk.move(1));
  desk.locator.start(mover, desk.out);
  CHECK_FALSE(desk.move(2));
}

TEST_CASE("a task that still needs data does not begin") {
  Desk desk;
  desk.place(mobile());
  desk.locator.start(mover, desk.out);
  CHECK_FALSE(desk.locator.find<Resident>(mover)->started);
}

TEST_CASE("data that come while a task leaves wait, and follow it") {
  Desk desk;
  desk.place(mobile());
  REQUIRE(desk.move(2));
  desk.get(4, data(0));
  desk.get(4, data(0));
  CHECK(desk.out.sends.empty());
  CHECK(desk.locator.buffered() == 1);
  desk.get(2, Moved{mover, 1});
  REQUIRE(desk.sent<Data>(2).size() == 1);
  CHECK(desk.sent<Data>(2)[0].route.version == 1);
  CHECK(desk.sent<Data>(2)[0].route.path == std::vector<PeerId>{PeerId{1}});
}

TEST_CASE("only the receiver of a move confirms that it has the task, and only of that move") {
  Desk desk;
  desk.place(mobile());
  REQUIRE(desk.move(2));
  desk.get(3, Moved{mover, 1});
  desk.get(2, Moved{mover, 2});
  CHECK(desk.locator.find<Leaving>(mover) != nullptr);
}

TEST_CASE("silence never takes a move back") {
  Desk desk;
  desk.place(mobile());
  REQUIRE(desk.move(2));
  desk.repeat(48);
  CHECK(desk.locator.find<Leaving>(mover) != nullptr);
  CHECK(desk.sent<Move>(2).size() == 1);
  desk.locator.call_off(mover, desk.out);
  desk.repeat(48);
  CHECK(desk.locator.find<Leaving>(mover) != nullptr);
  CHECK(desk.sent<MoveCancel>(2).size() == 1);
  desk.get(2, Moved{mover, 1, false});
  CHECK(desk.locator.find<Resident>(mover)->mobile.epoch == 1);
}

TEST_CASE("a move without an answer is repeated more and more rarely") {
  Desk desk;
  desk.place(mobile());
  REQUIRE(desk.move(2));
  std::vector<int> rounds;
  for (int round = 1; round < 26; ++round) {
    desk.repeat();
    if (!desk.sent<Move>(2).empty()) rounds.push_back(round);
  }
  CHECK(rounds == std::vector<int>{1, 2, 4, 8, 16, 24});
}

TEST_CASE("a move that was called off before it came is not taken, and a later one is") {
  Desk desk;
  desk.get(3, MoveCancel{mover, 1});
  CHECK_FALSE(desk.sent<Moved>(3).at(0).taken);
  desk.get(3, Move{mobile({giver}, {PeerId{3}})});
  CHECK_FALSE(desk.sent<Moved>(3).at(0).taken);
  CHECK(desk.locator.places().empty());
  desk.get(3, Move{mobile({giver}, {PeerId{3}, PeerId{2}})});
  CHECK(desk.sent<Moved>(3).at(0).taken);
  desk.get(3, MoveCancel{mover, 2});
  CHECK(desk.sent<Moved>(3).at(0).taken);
}

TEST_CASE("a move that comes twice is taken once") {
  Desk desk;
  desk.get(3, Move{mobile({giver}, {PeerId{3}})});
  CHECK(desk.out.arrived.size() == 1);
  desk.get(4, data(1));
  desk.get(3, Move{mobile({giver}, {PeerId{3}})});
  CHECK(desk.sent<Moved>(3).at(0).taken);
  CHECK(desk.out.arrived.empty());
  CHECK(desk.locator.find<Resident>(mover)->mobile.unmet.empty());
}

TEST_CASE("a task that comes back takes its own forwarder away") {
  Desk desk;
  desk.leave_forwarder();
  CHECK(desk.locator.find<Forward>(mover) != nullptr);
  desk.get(2, Move{mobile({giver}, {PeerId{1}, PeerId{2}})});
  CHECK(desk.locator.find<Forward>(mover) == nullptr);
  CHECK(desk.locator.find<Resident>(mover)->mobile.epoch == 2);
}

TEST_CASE("a datum is taken once, and confirmed as often as it comes") {
  Desk desk;
  desk.place(mobile({giver, other}));
  for (const std::size_t deliveries : {1U, 0U}) {
    desk.get(4, data(0));
    CHECK(desk.out.deliveries.size() == deliveries);
    REQUIRE(desk.sent<Location>(4).size() == 1);
    CHECK(desk.sent<Location>(4)[0].delivered == std::vector<TaskId>{giver});
  }
  CHECK(desk.out.ready.empty());
  desk.get(4, data(0, 4, other));
  CHECK(desk.out.ready == std::vector<TaskId>{mover});
  desk.get(4, data(0, 4, {3, 3}));  // which it never needed
  CHECK(desk.out.deliveries.empty());
  CHECK(desk.sent<Location>(4)[0].delivered.empty());
}

TEST_CASE("a peer that passed a datum on is told where it was delivered, with compression only") {
  for (const bool compression : {false, true}) {
    Desk desk({.compression = compression});
    desk.place(mobile());
    Data passed = data(0);
    passed.route.path = {PeerId{3}};
    desk.get(3, passed);
    CHECK(desk.sent<Location>(3).size() == (compression ? 1 : 0));
    CHECK(desk.sent<Location>(4).size() == 1);
    CHECK(desk.out.deliveries.at(0).hops == 2);
  }
}

TEST_CASE("a forwarder passes on data for an older address, and keeps data for a newer") {
  Desk desk;
  desk.leave_forwarder();
  desk.get(4, data(1, 4, other));
  CHECK(desk.out.sends.empty());
  CHECK(desk.locator.parked() == 1);
  desk.get(3, Location{mover, {PeerId{3}, 2}});
  CHECK(desk.sent<Data>(3).size() == 1);
  CHECK(desk.locator.parked() == 0);
}

TEST_CASE("only a newer address replaces another") {
  Desk desk({.cleanup = Cleanup::none});
  desk.leave_forwarder();
  desk.get(3, Location{mover, {PeerId{3}, 1}});
  CHECK(desk.locator.find<Forward>(mover)->next.peer == PeerId{2});
  desk.get(3, Location{mover, {PeerId{3}, 2}});
  CHECK(desk.locator.find<Forward>(mover)->next.peer == PeerId{3});
  CHECK(desk.out.sends.empty());
}

TEST_CASE("a forwarder that counts goes with the last that it waits for") {
  for (const Cleanup cleanup : {Cleanup::by_count, Cleanup::at_start}) {
    Desk desk({.cleanup = cleanup});
    desk.leave_forwarder(mobile({giver, other}));
    desk.get(4, data(0));
    CHECK(desk.locator.find<Forward>(mover) != nullptr);
    desk.get(3, Location{mover, {PeerId{3}, 2}, {other}});
    CHECK((desk.locator.find<Forward>(mover) == nullptr) == (cleanup == Cleanup::by_count));
  }
}

TEST_CASE("at its start a task takes all its forwarders away, until each has answered") {
  Desk desk({.cleanup = Cleanup::at_start});
  desk.place(mobile({}, {PeerId{2}, PeerId{3}}));
  desk.out = {};
  desk.locator.start(mover, desk.out);
  CHECK(desk.sent<Remove>(2).size() == 1);
  CHECK(desk.sent<Remove>(3).size() == 1);
  desk.get(2, Removed{mover, 2});
  desk.repeat();
  CHECK(desk.sent<Remove>(2).empty());
  CHECK(desk.sent<Remove>(3).size() == 1);
  desk.locator.lost(PeerId{3});
  CHECK(desk.locator.quiet());
}

TEST_CASE("a removed forwarder tells that its task needs no more data") {
  Desk desk({.cleanup = Cleanup::at_start});
  desk.leave_forwarder();
  desk.get(2, Remove{mover, 0});  // of an earlier time
  CHECK(desk.locator.find<Forward>(mover) != nullptr);
  desk.get(2, Remove{mover, 1});
  CHECK(desk.sent<Removed>(2).size() == 1);
  desk.get(4, data(0));
  CHECK(desk.sent<Location>(4).at(0).delivered == std::vector<TaskId>{giver, mover});
}

TEST_CASE("data for a task that never comes are given up with an alarm") {
  Desk desk({.park_for = 2});
  desk.get(4, data(0));
  desk.repeat();
  CHECK(desk.out.alarms.empty());
  desk.repeat();
  CHECK(desk.out.alarms == std::vector<TaskId>{mover});
  CHECK(desk.locator.quiet());
}

TEST_CASE("a datum is sent again until it is confirmed, and after some time to all peers") {
  Desk desk({.search_after = 2});
  desk.locator.give(giver, {{mover, {PeerId{2}, 0}, 9}}, desk.out);
  CHECK(desk.sent<Data>(2).at(0).datum == core::DeclaredBytes{9});
  desk.repeat();
  CHECK(desk.sent<Data>(2).size() == 1);
  CHECK(desk.out.sends.at(0).again);
  desk.repeat();
  for (const std::uint32_t peer : {0U, 2U, 3U, 4U}) CHECK(desk.sent<Find>(peer).size() == 1);
  desk.get(3, Location{mover, {PeerId{3}, 4}});
  CHECK(desk.sent<Data>(3).at(0).route.version == 4);
  desk.get(3, Location{mover, {PeerId{3}, 4}, {other}});
  CHECK_FALSE(desk.locator.quiet());
  desk.get(3, Location{mover, {PeerId{3}, 4}, {giver}});
  CHECK(desk.locator.quiet());
}

TEST_CASE("in a search of all peers, a peer that has the task is believed over a later address") {
  Desk desk({.search_after = 2});
  desk.locator.give(giver, {{mover, {PeerId{2}, 9}, 1}}, desk.out);
  SUBCASE("but not before") {
    desk.get(3, Location{mover, {PeerId{3}, 4}});
    CHECK(desk.sent<Data>(3).empty());
  }
  SUBCASE("nor if another peer says so") {
    desk.repeat(2);
    desk.get(4, Location{mover, {PeerId{3}, 4}});
    CHECK(desk.sent<Data>(3).empty());
  }
  SUBCASE("its receiver crashed, and took an earlier move once more") {
    desk.repeat(2);
    desk.get(3, Location{mover, {PeerId{3}, 4}});
    CHECK(desk.sent<Data>(3).size() == 1);
  }
}

TEST_CASE("a large datum is sent only once its task is found") {
  Desk desk({.find_first = 10});
  desk.locator.give(giver, {{mover, {PeerId{2}, 0}, 9}, {other, {PeerId{2}, 0}, 10}}, desk.out);
  CHECK(desk.sent<Data>(2).size() == 1);
  REQUIRE(desk.sent<Find>(2).size() == 1);
  CHECK(desk.sent<Find>(2)[0].route.to == other);
  desk.get(3, Location{other, {PeerId{3}, 2}});
  CHECK(desk.sent<Data>(3).size() == 1);
}

TEST_CASE("each way of finding tells and asks its own") {
  const Mobile task = mobile({giver}, {PeerId{2}, PeerId{3}, PeerId{4}});
  const auto told = [&](const Options& options) {
    Desk desk(options);
    desk.place(task);
    std::string peers;
    for (const auto& send : desk.out.sends) peers += std::to_string(send.to.value);
    return peers;
  };
  CHECK(told({}).empty());
  CHECK(told({.inform_last_k = 1}) == "3");
  CHECK(told({.inform_last_k = 9}) == "23");
  CHECK(told({.kind = Kind::registry}) == "0");
  CHECK(told({.kind = Kind::eager}) == "4");
  CHECK(told({.kind = Kind::broadcast}).empty());
  Desk asks({.kind = Kind::registry});
  asks.locator.give(giver, {{mover, {PeerId{2}, 0}, 1}}, asks.out);
  CHECK(asks.sent<Find>(0).size() == 1);
  CHECK(asks.sent<Data>(2).empty());
}

TEST_CASE("a registry answers with the newest that it was told") {
  Desk desk({.kind = Kind::registry}, 0);
  desk.get(3, Location{mover, {PeerId{3}, 4}});
  desk.get(2, Location{mover, {PeerId{2}, 3}});
  desk.get(4, Find{{mover, giver, PeerId{4}, 0}});
  CHECK(desk.sent<Location>(4).at(0).at == Address{PeerId{3}, 4});
}

TEST_CASE("a receiver that crashed may have passed the task on: all peers are asked") {
  Desk desk;
  desk.place(mobile());
  REQUIRE(desk.move(2));
  desk.locator.lost(PeerId{2});
  desk.repeat();
  CHECK(desk.sent<Move>(2).empty());
  CHECK(desk.sent<Find>(4).size() == 1);
  SUBCASE("another peer has it") {
    desk.get(3, Location{mover, {PeerId{3}, 2}});
    CHECK(desk.locator.find<Forward>(mover)->next == Address{PeerId{3}, 2});
  }
  SUBCASE("it needs no data any more") {
    desk.get(3, Location{mover, {PeerId{3}, 0}, {mover}});
    CHECK(desk.locator.find<Mark>(mover)->over);
  }
  SUBCASE("no peer ever had it") {
    desk.locator.take_back(mover, 1, desk.out);
    CHECK(desk.locator.find<Leaving>(mover) != nullptr);
    desk.locator.take_back(mover, generation, desk.out);
    CHECK(desk.locator.find<Resident>(mover)->mobile.epoch == generation);
  }
}

}  // namespace rhizome::locator_test
