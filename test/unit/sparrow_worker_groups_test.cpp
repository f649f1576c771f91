// Temporary leaders: how a master calls up a group for tasks that need each other, what its workers
// do meanwhile, and how both part.
#include <doctest/doctest.h>

#include <chrono>
#include <limits>

#include "agents/schedulers.hpp"
#include "test/support/lone_sparrow.hpp"

namespace rhizome::sparrow_worker_groups_test {

using core::PeerId;
using test::LoneSparrow;
using test::other;
using test::third;
using namespace agents::sparrow;
using namespace std::chrono_literals;

namespace {

constexpr PeerId me{2};

Options leading(std::uint32_t group = 8) {
  Options options;
  options.leaders = Leaders::graphs;
  options.group_size = group;
  options.shuffle_period = 0ms;  // no peer answers, so that a view that changes is soon empty
  return options;
}

// In each job the second task needs the first.
test::World graphs() {
  test::World world = LoneSparrow::make_world();
  for (agents::Job& job : world.workload.jobs) job.dependencies = {{.task = 1, .needs = 0}};
  world.settle();
  world.profile.largest.cpus = 3;  // tests choose the tasks
  return world;
}

struct Peer : LoneSparrow {
  explicit Peer(const Options& chosen = leading()) : LoneSparrow(chosen, me, graphs()) {}

  // A task of job 0 at that level, as the source gives it; level 0 needs no other task.
  void adopt(std::uint32_t portion, std::uint32_t level, std::uint32_t job = 0) {
    agents::Task given = task({job, portion});
    given.level = level;
    peer.deliver(world.source, Adopt{{given}});
  }
  void enlist(PeerId who, double speed = 1, std::uint32_t job = 0) {
    peer.deliver(who, Enlisted{job, 0, {2, 1}, speed});
  }
  // The peers that a task was given to.
  [[nodiscard]] std::vector<PeerId> given(agents::TaskId id) const {
    std::vector<PeerId> to;
    for (const auto& [who, place] : peer.sent<Place>())
      if (place.task.id == id) to.push_back(who);
    return to;
  }
  [[nodiscard]] std::vector<PeerId> called() const {
    std::vector<PeerId> peers;
    for (const auto& [who, call] : peer.sent<CallUp>()) peers.push_back(who);
    return peers;
  }
  // Whether a placeholder is taken here for a task of that master.
  [[nodiscard]] bool takes_probe_of(PeerId master, agents::TaskId id) {
    const std::size_t before = peer.sent<Deposited>().size();
    peer.deliver(master, Probe{id, {1, 0}, master, walks.first(probed++)});
    return peer.sent<Deposited>().size() > before;
  }
};

}  // namespace

TEST_CASE("a leader keeps tasks that it has room for, and calls no peer for them") {
  Peer leader;
  leader.adopt(0, 1);
  CHECK(leader.given({0, 0}) == std::vector<PeerId>{me});
  CHECK(leader.called().empty());
  CHECK(leader.peer.sent<Probe>().empty());
  leader.adopt(1, 1);
  CHECK(leader.given({0, 1}) == std::vector<PeerId>{me});
  CHECK(leader.called().empty());
}

TEST_CASE("a task without dependencies is probed for as before") {
  Peer leader;
  leader.adopt(0, 0);
  CHECK(leader.peer.sent<Place>().empty());
  CHECK(leader.peer.sent<Probe>().size() == leader.options.probes);
}

TEST_CASE("a waiting task goes to the fastest peer of those that were asked and came") {
  Peer leader;
  leader.world.profile.graphs.depth = 9;
  agents::Task large = leader.task({0, 0});
  large.level = 1;
  large.cpus = 2;
  leader.peer.deliver(leader.world.source, Adopt{{large}});  // fills the leader
  leader.adopt(1, 7);
  REQUIRE(leader.called().size() == 1);
  const PeerId asked = leader.called().front();
  leader.enlist(asked == other ? third : other, 8);  // it was not asked
  CHECK(leader.given({0, 1}).empty());
  leader.enlist(asked, 2);
  CHECK(leader.given({0, 1}) == std::vector<PeerId>{asked});
}

TEST_CASE("no more are called up than a group has, and the shallowest task goes first") {
  Peer leader(leading(1));
  leader.world.profile.graphs.depth = 9;
  leader.world.profile.largest_job = 9;
  for (const std::uint32_t portion : {2U, 3U}) {
    agents::Task task{.id = {0, portion}, .level = 1};
    leader.peer.deliver(leader.world.source, Adopt{{task}});
  }
  leader.adopt(0, 7);
  leader.adopt(1, 3);
  CHECK(leader.called().size() == 1);
  leader.peer.deliver(me, Completed{{0, 2}});
  CHECK(leader.given({0, 1}) == std::vector<PeerId>{me});
  CHECK(leader.given({0, 0}).empty());
}

TEST_CASE("a member that dies is removed, and its task goes to another") {
  Peer leader;
  agents::Task large = leader.task({0, 0});
  large.level = 1;
  large.cpus = 2;
  leader.peer.deliver(leader.world.source, Adopt{{large}});
  leader.adopt(1, 1);
  const PeerId member = leader.called().front();
  leader.enlist(member);
  REQUIRE(leader.given({0, 1}).size() == 1);
  leader.leaves(member);
  CHECK(leader.noted<agents::TaskReissued>() == 1);
  leader.peer.deliver(me, Completed{{0, 0}});
  CHECK(leader.given({0, 1}) == std::vector<PeerId>{member, me});
}

TEST_CASE("a group is held for a while when nothing is to be done, and released then") {
  Peer leader;
  agents::Task large = leader.task({0, 0});
  large.level = 1;
  large.cpus = 2;
  leader.peer.deliver(leader.world.source, Adopt{{large}});
  leader.adopt(1, 1);
  const PeerId member = leader.called().front();
  leader.enlist(member);
  leader.peer.deliver(member, Completed{{0, 1}});
  leader.peer.deliver(me, Completed{{0, 0}});
  const core::Time done = leader.peer.now();
  CHECK(leader.peer.sent<Dismiss>().empty());
  leader.fire_until([&] { return !leader.peer.sent<Dismiss>().empty(); });
  CHECK(leader.peer.now() - done > leader.options.group_hold);
  CHECK(leader.peer.now() - done <= 2 * leader.options.group_hold);
  CHECK(leader.peer.sent<Dismiss>().size() == 1);
  CHECK(leader.peer.sent<Dismiss>().front().first == member);
}

TEST_CASE("a peer that does not answer is not waited for: others are called while tasks wait") {
  Peer leader;
  agents::Task large = leader.task({0, 0});
  large.level = 1;
  large.cpus = 2;
  leader.peer.deliver(leader.world.source, Adopt{{large}});
  leader.adopt(1, 1);
  CHECK(leader.called().size() == 1);
  leader.fire_until([&] { return leader.called().size() == 2; });
  leader.peer.deliver(leader.called().back(), Declined{0});
  leader.fire_until([&] { return leader.called().size() == 3; });
}

TEST_CASE("a task that is too large for all of its group is searched a place for") {
  Peer leader;
  agents::Task large = leader.task({0, 0});
  large.level = 1;
  large.cpus = 3;
  leader.peer.deliver(leader.world.source, Adopt{{large}});
  CHECK(leader.given({0, 0}).empty());
  CHECK(leader.peer.sent<Probe>().empty());
  leader.fire_until([&] { return leader.probes_for(0) == leader.options.probes; });
  leader.peer.deliver(other, Deposited{{0, 0}, 10});
  leader.peer.deliver(other, Ready{{0, 0}, 10});
  CHECK(leader.peer.sent<Assign>().size() == 1);
}

TEST_CASE("a worker that was called up serves its leader alone until it is released") {
  Peer worker;
  worker.peer.deliver(other, CallUp{0});
  REQUIRE(worker.peer.sent<Enlisted>().size() == 1);
  CHECK(worker.peer.sent<Enlisted>().front().first == other);
  worker.peer.deliver(third, CallUp{1});
  CHECK(worker.peer.sent<Declined>().size() == 1);

  CHECK_FALSE(worker.takes_probe_of(third, {3, 0}));
  CHECK(worker.peer.sent<Probe>().size() == 1);  // passed on
  worker.peer.deliver(third, Query{7, {1, 0}, third, worker.walks.first(90)});
  CHECK(worker.peer.sent<Load>().empty());
  worker.peer.deliver(third, Place{worker.task({3, 1})});
  CHECK(worker.peer.sent<Unknown>().size() == 1);
  CHECK(worker.takes_probe_of(other, {4, 0}));
  worker.peer.deliver(other, Place{worker.task({0, 1})});
  CHECK(worker.noted<agents::TaskStarted>() == 1);

  worker.peer.deliver(third, Dismiss{0});  // not its leader
  worker.peer.deliver(other, Dismiss{1});  // not its job
  CHECK_FALSE(worker.takes_probe_of(third, {5, 0}));
  worker.peer.deliver(other, Dismiss{0});
  CHECK(worker.takes_probe_of(third, {6, 0}));
}

TEST_CASE("a worker frees itself where the word of its release is lost, or its leader is") {
  Peer worker;
  worker.peer.deliver(other, CallUp{0});
  worker.peer.deliver(other, Place{worker.task({0, 0})});
  SUBCASE("its leader has nothing more for it") {
    const core::Time called = worker.peer.now();
    std::uint32_t job = 1;
    worker.fire_until([&] { return worker.takes_probe_of(third, {job++ % 10, 1}); });
    CHECK(worker.peer.now() - called >= 2 * worker.options.group_hold);
  }
  SUBCASE("its leader has died") {
    worker.leaves(other);
    CHECK(worker.takes_probe_of(third, {5, 0}));
  }
}

TEST_CASE("options of groups have an effect only if some peer leads a graph") {
  const auto refusal = [](const Options& options, const test::World& world) {
    return agents::sparrow_family().refusal(std::any(options), world);
  };
  CHECK(refusal(leading(), graphs()).empty());
  CHECK(refusal(leading(), LoneSparrow::make_world()).find("leaders has no effect") == 0);
  Options options;
  options.group_size = 3;
  CHECK(refusal(options, graphs()).find("only with leaders") != std::string::npos);
  options = {};
  options.group_hold = std::chrono::seconds(7);
  CHECK(refusal(options, graphs()).find("only with leaders") != std::string::npos);
}

TEST_CASE(
    "a peer in the group of an impossible job, or with an impossible speed, is not believed") {
  const Peer peer;
  const auto& sparrow = peer.peer.protocol();
  CHECK(sparrow.believes(other, CallUp{9}));
  CHECK_FALSE(sparrow.believes(other, CallUp{10}));
  CHECK_FALSE(sparrow.believes(PeerId{4}, CallUp{0}));
  CHECK_FALSE(sparrow.believes(other, Declined{10}));
  CHECK_FALSE(sparrow.believes(other, Dismiss{10}));
  CHECK(sparrow.believes(other, Enlisted{0, 0, {1, 1}, 1}));
  CHECK_FALSE(sparrow.believes(other, Enlisted{0, 0, {0, 1}, 1}));
  for (const double speed : {0.0, -1.0, std::numeric_limits<double>::infinity()})
    CHECK_FALSE(sparrow.believes(other, Enlisted{0, 0, {1, 1}, speed}));
}

}  // namespace rhizome::sparrow_worker_groups_test
