// A locator after losses, and at the end of a run.
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "test/support/locator_desk.hpp"

namespace rhizome::locator_end_test {

using namespace test::desk;

TEST_CASE("messages sent since the last repetition are not repeated at once") {
  Desk desk;
  desk.locator.give(giver, {{mover, {PeerId{2}, 0}, 9}}, desk.out);
  desk.place(mobile());
  REQUIRE(desk.move(3));
  desk.out = {};
  desk.locator.repeat(desk.out);
  CHECK(desk.out.sends.empty());
  desk.locator.repeat(desk.out);
  CHECK(desk.sent<Data>(2).size() == 1);
  CHECK(desk.sent<Move>(3).size() == 1);
}

TEST_CASE("a search that asks all peers for a completed task is answered by any peer that knows") {
  Desk desk({.cleanup = Cleanup::none});
  const auto told = [&desk] {
    desk.get(4, Find{{mover, giver, PeerId{4}, 0}, true});
    const auto locations = desk.sent<Location>(4);
    return locations.size() == 1 && locations[0].delivered == std::vector<TaskId>{giver, mover};
  };
  SUBCASE("where it never was") {
    CHECK_FALSE(told());
    desk.locator.conclude(mover, desk.out);
    CHECK(told());
  }
  SUBCASE("where it left a forwarder, which stays") {
    desk.leave_forwarder();
    CHECK_FALSE(told());
    desk.locator.conclude(mover, desk.out);
    CHECK(told());
    CHECK(desk.locator.find<Forward>(mover) != nullptr);
  }
  SUBCASE("unless the task is here, where it is known better") {
    desk.place(mobile());
    desk.locator.conclude(mover, desk.out);
    CHECK(desk.locator.find<Resident>(mover) != nullptr);
  }
}

TEST_CASE("nothing is brought any more to a task that is said to be over") {
  Desk desk({.search_after = 2});
  desk.locator.give(giver, {{mover, {PeerId{2}, 9}, 1}, {other, {PeerId{2}, 0}, 1}}, desk.out);
  desk.repeat(2);
  // The answer to a search for the task on its own behalf, by a peer that has an older address.
  desk.get(3, Location{mover, {PeerId{3}, 4}, {mover}});
  CHECK(desk.out.notes.empty());
  CHECK(desk.sent<Data>(3).empty());
  CHECK_FALSE(desk.locator.quiet());
  desk.get(3, Location{other, {PeerId{3}, 4}, {other}});
  CHECK(desk.locator.quiet());
}

TEST_CASE("a task that is dropped as needless is over here") {
  Desk desk;
  desk.place(mobile());
  desk.locator.drop(mover, desk.out);
  CHECK(desk.locator.find<Resident>(mover) == nullptr);
  CHECK_FALSE(desk.move(2));
  desk.get(4, data(0));
  CHECK(desk.sent<Location>(4).at(0).delivered == std::vector<TaskId>{giver, mover});
}

TEST_CASE("a task that is placed again tells the data that it takes along") {
  Desk desk;
  Mobile again = mobile({other});
  again.epoch = generation;
  take_along(again, {giver, {PeerId{4}, 0}, 1});
  desk.place(again);
  const Facts told = DatumTakenAlong{mover, giver, generation};
  CHECK(std::count(desk.out.notes.begin(), desk.out.notes.end(), told) == 1);
}

TEST_CASE("two copies of a task tell of an address each, and which one it knew before") {
  Desk desk;
  desk.locator.give(giver, {{mover, {PeerId{2}, 3}, 1}}, desk.out);
  desk.place({.task = {.id = giver}, .epoch = generation, .successors = {{mover, {PeerId{0}, 2}}}});
  desk.get(3, Location{mover, {PeerId{3}, 4}});
  for (const Epoch former : {2, 3}) {
    const Facts told = AddressLearned{mover, giver, PeerId{3}, 4, former};
    CHECK(std::count(desk.out.notes.begin(), desk.out.notes.end(), told) == 1);
  }
}

TEST_CASE("once all is done nothing waits, and forwarders go but where they are never to go") {
  for (const Cleanup cleanup : {Cleanup::both, Cleanup::none}) {
    Desk desk({.cleanup = cleanup});
    desk.leave_forwarder();
    desk.locator.give(other, {{{0, 9}, {PeerId{2}, 0}, 9}}, desk.out);
    desk.get(4, Data{{{0, 5}, giver, PeerId{4}, 0}, 1});
    desk.locator.place({.task = {.id = {0, 6}}}, desk.out);
    REQUIRE(desk.locator.move({0, 6}, PeerId{2}, desk.out));
    CHECK_FALSE(desk.locator.quiet());
    desk.locator.close(desk.out);
    CHECK(desk.locator.quiet());
    CHECK(desk.locator.parked() == 0);
    CHECK((desk.locator.find<Forward>(mover) == nullptr) == (cleanup == Cleanup::both));
  }
}

}  // namespace rhizome::locator_end_test
