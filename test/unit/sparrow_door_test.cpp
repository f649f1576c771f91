// The probe router of a Sparrow peer: walks that stay or go on, questions, tasks.
#include "agents/sparrow/probe_router.hpp"

#include <doctest/doctest.h>

#include "test/support/lone_sparrow.hpp"

namespace rhizome::sparrow_door_test {

using test::LoneSparrow;
using test::other;
using test::probing;
using test::third;
using namespace agents::sparrow;

TEST_CASE("walks that come to a placeholder of their task again and again end there") {
  LoneSparrow alone(probing(1));
  alone.probe({7, 0});
  for (int i = 0; i < 8; ++i) alone.probe({7, 0});
  CHECK(alone.peer.sent<Probe>().size() == 8);
  CHECK(alone.peer.sent<Deposited>().size() == 1);
  alone.probe({7, 0});
  alone.probe({8, 0});
  CHECK(alone.peer.sent<Deposited>().size() == 3);
  alone.probe({8, 0});  // each task has walks of its own
  CHECK(alone.peer.sent<Probe>().size() == 9);
}

TEST_CASE("walks of a task are counted until its last placeholder here is gone") {
  LoneSparrow alone(probing(1));
  for (int i = 0; i < 10; ++i) alone.probe({7, 0});
  const auto deposited = alone.peer.sent<Deposited>();
  REQUIRE(deposited.size() == 2);
  alone.peer.deliver(other, Cancel{deposited[1].second.placeholder});
  alone.probe({7, 0});  // all that are sent on have been
  CHECK(alone.peer.sent<Deposited>().size() == 3);
  alone.peer.deliver(other, Cancel{deposited[0].second.placeholder});
  alone.peer.deliver(other, Cancel{alone.peer.sent<Deposited>()[2].second.placeholder});
  for (int i = 0; i < 2; ++i) alone.probe({7, 0});
  CHECK(alone.peer.sent<Deposited>().size() == 4);
  CHECK(alone.peer.sent<Probe>().size() == 9);
}

TEST_CASE("a probe that cannot start is passed on while hops are left, each task's once") {
  Options walk = probing(1);
  walk.max_hops = 2;
  LoneSparrow alone(walk);
  alone.probe({7, 0}, 2);  // reserved: nothing is free any more
  alone.probe({8, 0}, 2, 1);
  REQUIRE(alone.peer.sent<Probe>().size() == 1);
  CHECK(alone.walks.hops(alone.peer.sent<Probe>()[0].second.step) == 2);
  alone.probe({9, 0}, 2, 2);
  CHECK(alone.peer.sent<Deposited>().size() == 2);
  alone.probe({9, 0}, 2, 2);  // once more: it has a placeholder here
  CHECK(alone.peer.sent<Probe>().size() == 2);
  CHECK(alone.peer.sent<Deposited>().size() == 2);
}

TEST_CASE("a probe is never passed back to where it came from") {
  Options walk = probing(1);
  walk.max_hops = 2;
  LoneSparrow alone(walk);
  alone.probe({7, 0}, 2);
  for (int i = 0; i < 100; ++i) alone.probe({8, 0}, 2);
  const auto passed = alone.peer.sent<Probe>();
  REQUIRE(passed.size() == 100);
  for (const auto& [to, probe] : passed) CHECK(to != other);
}

TEST_CASE("a probe that comes twice is one walk, and two walks of a task are two") {
  Options walk = probing(1);
  walk.max_hops = 2;
  LoneSparrow alone(walk);
  alone.probe({7, 0}, 2);
  const Probe stays{{8, 0}, {1, 0}, other, {2}};
  const Probe goes{{9, 0}, {1, 0}, other, {1}};
  for (const Probe& probe : {stays, stays, goes, goes}) alone.peer.deliver(third, probe);
  CHECK(alone.peer.sent<Deposited>().size() == 2);
  CHECK(alone.peer.sent<Probe>().size() == 1);
  alone.peer.deliver(other, goes);  // the same walk, which has been led here by another
  Probe second = goes;
  second.step.value += walk.hop_limit + 1;
  alone.peer.deliver(third, second);
  CHECK(alone.peer.sent<Probe>().size() == 3);
  alone.peer.pass(std::chrono::minutes(1));  // so late no copy comes
  alone.peer.deliver(third, goes);
  CHECK(alone.peer.sent<Probe>().size() == 4);
}

TEST_CASE("a question about the load that comes twice is answered, or passed on, once") {
  LoneSparrow alone;
  const Query small{1, {1, 0}, other, {}};
  const Query large{2, {3, 0}, other, {}};
  for (const Query& query : {small, small, large, large}) alone.peer.deliver(other, query);
  CHECK(alone.peer.sent<Load>().size() == 1);
  CHECK(alone.peer.sent<Query>().size() == 1);
}

TEST_CASE("no walk is longer than the limit, though it had better not stay") {
  Options limited = probing(1);
  limited.hop_limit = 7;
  LoneSparrow alone(limited);
  alone.probe({7, 0});
  alone.probe({7, 0}, 1, 6);
  CHECK(alone.peer.sent<Probe>().size() == 1);
  alone.probe({7, 0}, 1, 7);
  CHECK(alone.peer.sent<Probe>().size() == 1);
  CHECK(alone.peer.sent<Deposited>().size() == 2);
  alone.probe({8, 0}, 3, 7);  // too large for this peer: the master will probe again
  CHECK(alone.peer.sent<Probe>().size() == 1);
  CHECK(alone.peer.sent<Deposited>().size() == 2);
}

TEST_CASE("a probe for which the peer is too small goes on, whatever its memory or processors") {
  LoneSparrow alone(probing(1));
  alone.probe({7, 0}, 3);
  CHECK(alone.peer.sent<Probe>().size() == 1);
  alone.peer.deliver(other, Probe{{8, 0}, {1, 1.5}, other, 0});
  CHECK(alone.peer.sent<Probe>().size() == 2);
  CHECK(alone.peer.sent<Deposited>().empty());
}

TEST_CASE("where tasks wait a probe stays if there is room, or only at the head, as set") {
  Options head = probing(1);
  head.max_hops = 5;
  head.stays = Stays::first_in_queue;
  Options room = head;
  room.stays = Stays::with_room;
  for (const Options& options : {head, room}) {
    LoneSparrow alone(options);
    alone.probe({6, 0}, 1);
    alone.assign(alone.placeholder(), {6, 0});
    alone.probe({7, 0}, 2, 5);  // waits, for its hops are used up
    alone.probe({8, 0}, 1);
    CHECK(alone.peer.sent<Probe>().size() == (options.stays == Stays::first_in_queue ? 1 : 0));
  }
}

TEST_CASE("where a processor is free and no task waits, a probe stays whatever its task needs") {
  Options free = probing(1);
  free.max_hops = 5;
  free.stays = Stays::free_processor;
  LoneSparrow alone(free);
  alone.probe({6, 0}, 1);
  alone.assign(alone.placeholder(), {6, 0});
  alone.probe({7, 0}, 2);  // waits, for one of two processors is free
  CHECK(alone.peer.sent<Deposited>().size() == 2);
  alone.probe({8, 0}, 1);  // goes on, for a task waits
  CHECK(alone.peer.sent<Probe>().size() == 1);
}

TEST_CASE("where no processor is free a probe goes on") {
  Options free = probing(1);
  free.max_hops = 5;
  free.stays = Stays::free_processor;
  LoneSparrow alone(free);
  alone.probe({6, 0}, 2);
  alone.assign(alone.placeholder(), {6, 0}, 2);
  alone.probe({7, 0}, 1);
  CHECK(alone.peer.sent<Probe>().size() == 1);
}

TEST_CASE("a task whose placeholders have all been used finds places again, and does not walk") {
  LoneSparrow alone;
  alone.probe({7, 0});
  alone.peer.deliver(other, Cancel{alone.placeholder()});
  alone.probe({7, 0});
  CHECK(alone.peer.sent<Probe>().empty());
  REQUIRE(alone.peer.sent<Deposited>().size() == 2);
  alone.assign(alone.placeholder(), {7, 0});
  alone.probe({7, 0});
  CHECK(alone.peer.sent<Deposited>().size() == 3);
}

TEST_CASE("a peer too small for the task passes a question about its load on") {
  LoneSparrow alone;
  alone.peer.deliver(other, Query{5, {3, 0}, other, 2});
  CHECK(alone.peer.sent<Load>().empty());
  REQUIRE(alone.peer.sent<Query>().size() == 1);
  CHECK(alone.peer.sent<Query>()[0].first != other);
  CHECK(alone.walks.hops(alone.peer.sent<Query>()[0].second.step) == 3);
  alone.peer.deliver(third, Query{6, {2, 0}, other, 2});
  REQUIRE(alone.peer.sent<Load>().size() == 1);
  CHECK(alone.peer.sent<Load>()[0].first == other);
  CHECK(alone.peer.sent<Load>()[0].second.utility == 2);
  alone.peer.deliver(other, Place{alone.task()});
  alone.peer.deliver(third, Query{7, {2, 0}, other, 2});
  CHECK(alone.peer.sent<Load>().back().second.utility == 1);
}

TEST_CASE("a task too large for the peer it was sent to is given back") {
  LoneSparrow alone;
  agents::Task large = alone.task();
  large.cpus = 3;
  alone.peer.deliver(other, Place{large});
  REQUIRE(alone.peer.sent<Unknown>().size() == 1);
  CHECK(alone.peer.sent<Unknown>()[0].second.tasks == std::vector<agents::TaskId>{large.id});
}

}  // namespace rhizome::sparrow_door_test
