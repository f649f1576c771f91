// The executing side of a Sparrow peer: placeholders and executed tasks.
#include "agents/sparrow/worker.hpp"

#include <doctest/doctest.h>

#include "test/support/lone_sparrow.hpp"

namespace rhizome::sparrow_worker_test {

using core::PeerId;
using test::LoneSparrow;
using test::other;
using test::probing;
using test::third;
using namespace agents::sparrow;

namespace {

// Peers have one processor and that discipline.
test::World ordered(const char* discipline) {
  test::World world = LoneSparrow::make_world();
  for (std::size_t i = 0; i < agents::disciplines().size(); ++i)
    if (agents::disciplines()[i].name == discipline)
      for (agents::Capacity& capacity : world.capacities)
        capacity = {.slots = 1, .discipline = agents::DisciplineId(i)};
  return world;
}

}  // namespace

TEST_CASE("a placeholder reserves room when its turn comes, and runs the task that it is given") {
  LoneSparrow alone;
  alone.probe({7, 0});
  REQUIRE(alone.peer.sent<Ready>().size() == 1);
  CHECK(alone.peer.sent<Ready>()[0].first == other);
  CHECK(alone.peer.works().empty());
  alone.assign(alone.placeholder(), {8, 0});  // any task of that master's
  REQUIRE(alone.peer.works().size() == 1);
  REQUIRE(alone.peer.complete_next());
  REQUIRE(alone.peer.sent<Completed>().size() == 1);
  CHECK(alone.peer.sent<Completed>()[0].second.task == agents::TaskId{8, 0});
}

TEST_CASE("room that is reserved is taken until it is cancelled") {
  LoneSparrow alone;
  alone.probe({7, 0}, 2);
  const std::uint64_t first = alone.placeholder();
  alone.probe({8, 0}, 1);
  CHECK(alone.peer.sent<Ready>().size() == 1);
  alone.peer.deliver(third, Cancel{first});  // not its master
  CHECK(alone.peer.sent<Ready>().size() == 1);
  alone.peer.deliver(other, Cancel{first});
  CHECK(alone.peer.sent<Ready>().size() == 2);
}

TEST_CASE("a placeholder taken back before its turn lets the next one pass") {
  LoneSparrow alone;
  alone.probe({7, 0}, 2);
  alone.assign(alone.placeholder(), {7, 0}, 2);
  alone.probe({8, 0}, 2);
  const std::uint64_t second = alone.placeholder();
  alone.probe({9, 0}, 1);
  alone.peer.deliver(third, Cancel{second});  // not its master
  alone.peer.deliver(other, Audit{{}, {second}});
  CHECK(alone.peer.sent<Unknown>().empty());
  alone.peer.deliver(other, Cancel{second});
  alone.peer.deliver(other, Audit{{}, {second}});
  CHECK(alone.peer.sent<Unknown>().size() == 1);
  REQUIRE(alone.peer.complete_next());
  REQUIRE(alone.peer.sent<Ready>().size() == 2);
  CHECK(alone.peer.sent<Ready>()[1].second.task == agents::TaskId{9, 0});
}

TEST_CASE("the queue is first in, first out: a small task does not pass a large one") {
  LoneSparrow alone;
  alone.probe({7, 0}, 1);
  alone.assign(alone.placeholder(), {7, 0}, 1);
  alone.probe({8, 0}, 2);
  alone.probe({9, 0}, 1);  // would fit
  CHECK(alone.peer.sent<Ready>().size() == 1);
  REQUIRE(alone.peer.complete_next());
  CHECK(alone.peer.sent<Ready>().size() == 2);
}

TEST_CASE("one placeholder becomes ready at an event, or all that fit") {
  Options all;
  all.start = Start::all_that_fit;
  for (const Options& options : {Options{}, all}) {
    LoneSparrow alone(options);
    alone.probe({6, 0}, 2);
    const std::uint64_t first = alone.placeholder();
    alone.probe({7, 0});
    alone.probe({8, 0});
    alone.peer.deliver(other, Cancel{first});
    const auto ready = alone.peer.sent<Ready>();
    REQUIRE(ready.size() == (options.start == Start::all_that_fit ? 3 : 2));
    CHECK(ready[1].second.task == agents::TaskId{7, 0});  // the first to come
  }
}

TEST_CASE("a worker looks at its queue after an assignment only if told to") {
  Options looks;
  looks.look_after_assign = true;
  for (const Options& options : {Options{}, looks}) {
    LoneSparrow alone(options);
    alone.probe({6, 0}, 2);
    const std::uint64_t first = alone.placeholder();
    alone.probe({7, 0});
    alone.assign(first, {6, 0}, 1);  // smaller than the reservation: room is left
    CHECK(alone.peer.sent<Ready>().size() == (options.look_after_assign ? 2 : 1));
  }
}

TEST_CASE("tasks that are bound start as long as they fit, whatever placeholders do") {
  LoneSparrow alone;
  alone.peer.deliver(other, Place{alone.task({6, 0})});
  alone.probe({5, 0}, 2);
  alone.peer.deliver(other, Place{alone.task({7, 0})});
  alone.peer.deliver(other, Place{alone.task({8, 0})});
  CHECK(alone.peer.works().size() == 1);
  REQUIRE(alone.peer.complete_next());
  alone.peer.deliver(other, Cancel{alone.placeholder()});
  CHECK(alone.peer.works().size() == 2);
}

TEST_CASE("memory in use keeps a placeholder waiting as processors do") {
  LoneSparrow alone;
  alone.peer.deliver(other, Probe{{7, 0}, {1, 0.7}, other, 0});
  alone.peer.deliver(other, Probe{{8, 0}, {1, 0.7}, other, 0});
  CHECK(alone.peer.sent<Ready>().size() == 1);
}

TEST_CASE("a placeholder for a shorter task is ready beside a longer one that runs, under srpt") {
  LoneSparrow alone({}, PeerId{2}, ordered("srpt"));
  const auto told = [&](agents::TaskId id, std::chrono::milliseconds duration) {
    alone.peer.deliver(other,
                       Probe{id, {1, 0}, other, alone.walks.first(alone.probed++), duration});
  };
  agents::Task given = alone.task({6, 0});
  given.duration = std::chrono::milliseconds(90);
  alone.peer.deliver(other, Place{given});
  told({7, 0}, std::chrono::milliseconds(100));
  CHECK(alone.peer.sent<Ready>().empty());
  told({8, 0}, std::chrono::milliseconds(30));
  told({9, 0}, std::chrono::milliseconds(20));  // before the one that is ready
  told({5, 0}, std::chrono::milliseconds(40));  // after it
  REQUIRE(alone.peer.sent<Ready>().size() == 2);
  CHECK(alone.peer.sent<Ready>()[0].second.task == agents::TaskId{8, 0});
  CHECK(alone.peer.sent<Ready>()[1].second.task == agents::TaskId{9, 0});
}

TEST_CASE("tasks that share a processor count as a queue, and a placeholder is ready at once") {
  LoneSparrow alone({}, PeerId{2}, ordered("ps"));
  for (std::uint32_t job = 4; job < 7; ++job)
    alone.peer.deliver(other, Place{alone.task({job, 0})});
  CHECK(alone.peer.works().size() == 3);
  alone.probe({7, 0});
  alone.probe({8, 0});
  CHECK(alone.peer.sent<Ready>().size() == 2);
  alone.peer.deliver(other, Query{1, {1, 0}, other, alone.walks.first(9)});
  REQUIRE(alone.peer.sent<Load>().size() == 1);
  CHECK(alone.peer.sent<Load>()[0].second.utility == -2);
}

TEST_CASE("a master tells durations in probes, and gives a placeholder the shortest task") {
  LoneSparrow alone(probing(1), PeerId{2}, ordered("sjf"));
  std::vector<agents::Task> tasks{alone.task({0, 0}), alone.task({0, 1})};
  tasks[0].duration = std::chrono::milliseconds(90);
  tasks[1].duration = std::chrono::milliseconds(20);
  alone.peer.deliver(alone.world.source, Adopt{tasks});
  const auto probes = alone.peer.sent<Probe>();
  REQUIRE(probes.size() == 2);
  CHECK(probes[0].second.told == std::chrono::milliseconds(90));
  const std::uint64_t here = placeholder(0, 5);
  alone.peer.deliver(other, Deposited{{0, 0}, here});
  alone.peer.deliver(other, Ready{{0, 0}, here});
  REQUIRE(alone.peer.sent<Assign>().size() == 1);
  CHECK(alone.peer.sent<Assign>()[0].second.task.id == agents::TaskId{0, 1});
}

TEST_CASE("a probe that tells an impossible duration is not believed") {
  LoneSparrow alone;
  alone.peer.deliver(other, Probe{{7, 0}, {1, 0}, other, {}, std::chrono::seconds(-1), 1});
  alone.peer.deliver(other, Probe{{7, 0}, {1, 0}, other, {}, core::Duration::max()});
  CHECK(alone.peer.sent<Deposited>().empty());
}

TEST_CASE("an assignment larger than its reservation is refused") {
  LoneSparrow alone;
  alone.probe({7, 0}, 1);
  alone.assign(alone.placeholder(), {7, 0}, 2);
  CHECK(alone.peer.works().empty());
  alone.assign(alone.placeholder(), {7, 0}, 1);
  CHECK(alone.peer.works().size() == 1);
}

TEST_CASE("only the master of a placeholder may use it") {
  LoneSparrow alone;
  alone.probe({7, 0});
  alone.peer.deliver(third, Assign{alone.placeholder(), alone.task({7, 0})});
  CHECK(alone.peer.works().empty());
}

TEST_CASE("a question without an answer is asked again until it is answered") {
  LoneSparrow alone;
  alone.probe({7, 0});
  alone.fire_until([&] { return alone.peer.sent<Ready>().size() == 3; });
  alone.peer.deliver(other, Cancel{alone.placeholder()});
  for (int i = 0; i < 100; ++i) REQUIRE(alone.peer.fire_next());
  CHECK(alone.peer.sent<Ready>().size() == 3);
}

TEST_CASE("a task that comes twice is run once, and its result told again when asked") {
  LoneSparrow alone;
  alone.peer.deliver(other, Place{alone.task()});
  alone.peer.deliver(other, Place{alone.task()});
  CHECK(alone.peer.works().size() == 1);
  REQUIRE(alone.peer.complete_next());
  alone.peer.deliver(other, Audit{{alone.task().id, {5, 0}}, {}});
  CHECK(alone.peer.sent<Completed>().size() == 2);
  REQUIRE(alone.peer.sent<Unknown>().size() == 1);
  CHECK(alone.peer.sent<Unknown>()[0].second.tasks == std::vector<agents::TaskId>{{5, 0}});
}

TEST_CASE("a task that was done here is not done again: its result is told") {
  LoneSparrow alone;
  alone.peer.deliver(other, Place{alone.task()});
  REQUIRE(alone.peer.complete_next());
  alone.peer.deliver(third, Place{alone.task()});
  CHECK(alone.peer.works().empty());
  REQUIRE(alone.peer.sent<Completed>().size() == 2);
  CHECK(alone.peer.sent<Completed>()[1].first == third);
  alone.probe({7, 0}, 2);
  alone.assign(alone.placeholder(), alone.task().id);
  CHECK(alone.peer.works().empty());
  CHECK(alone.peer.sent<Completed>().size() == 3);
  alone.probe({8, 0}, 2);  // the room is free again
  CHECK(alone.peer.sent<Ready>().size() == 2);
}

TEST_CASE("placeholders that stand are known, others are not") {
  LoneSparrow alone;
  alone.probe({7, 0}, 2);
  alone.probe({8, 0}, 2);
  alone.peer.deliver(other, Audit{{}, {alone.placeholder(), 99}});
  REQUIRE(alone.peer.sent<Unknown>().size() == 1);
  CHECK(alone.peer.sent<Unknown>()[0].second.placeholders == std::vector<std::uint64_t>{99});
}

TEST_CASE("all of a dead master is removed: its placeholders, reservations and tasks") {
  LoneSparrow alone;
  alone.probe({6, 0});
  alone.assign(alone.placeholder(), {6, 0});
  alone.probe({7, 0});                                         // reserved
  alone.probe({8, 0}, 2);                                      // waits
  alone.peer.deliver(third, Probe{{9, 0}, {2, 0}, third, 0});  // waits, of another
  CHECK(alone.peer.sent<Ready>().size() == 2);
  alone.leaves(other);
  CHECK(alone.peer.works().empty());
  REQUIRE(alone.peer.sent<Ready>().size() == 3);
  CHECK(alone.peer.sent<Ready>()[2].first == third);
  alone.peer.deliver(third, Cancel{alone.placeholder()});
  CHECK(alone.peer.sent<Ready>().size() == 3);
}

// The new life of a restarted master may have given the worker some of the tasks before the news of
// the restart came.
TEST_CASE("a restarted master is told which of its tasks a worker drops, a dead one is not") {
  const auto dropped_when = [](const auto& happens) {
    LoneSparrow alone;
    alone.probe({6, 0});
    alone.assign(alone.placeholder(), {6, 0});
    alone.probe({7, 0});  // reserved
    const std::uint64_t reserved = alone.placeholder();
    alone.probe({8, 0}, 2);                                // waits
    alone.peer.deliver(other, Place{alone.task({9, 0})});  // waits, and is bound
    happens(alone);
    const auto told = alone.peer.sent<Unknown>();
    if (told.empty()) return false;
    REQUIRE(told.size() == 1);
    CHECK(told[0].first == other);
    CHECK(told[0].second.tasks == std::vector<agents::TaskId>{{6, 0}, {9, 0}});
    CHECK(told[0].second.placeholders == std::vector<std::uint64_t>{reserved, alone.placeholder()});
    return true;
  };
  const auto pong = [](LoneSparrow& alone, std::uint32_t life) {
    alone.peer.deliver_to<overlay::FailureDetector>(other, overlay::Pong{PeerId{2}, other, life});
  };
  CHECK(dropped_when([&](LoneSparrow& alone) {
    pong(alone, 0);
    pong(alone, 1);
  }));
  CHECK_FALSE(dropped_when([](LoneSparrow& alone) { alone.leaves(other); }));
}

TEST_CASE("a probe, a task or an answer of a master that is held for dead binds nothing to it") {
  LoneSparrow alone;
  alone.probe({6, 0});
  alone.leaves(other);
  alone.peer.forget();
  alone.probe({7, 0});
  alone.peer.deliver(third, Probe{{8, 0}, {1, 0}, other, 1});  // passed on by one that lives
  alone.peer.deliver(other, Place{alone.task()});
  alone.peer.deliver(third, Query{1, {1, 0}, other, 1});
  CHECK(alone.peer.sent<Deposited>().empty());
  CHECK(alone.peer.sent<Load>().empty());
  CHECK(alone.peer.works().empty());
}

}  // namespace rhizome::sparrow_worker_test
