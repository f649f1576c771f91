// A Sparrow peer by itself: what its two sides answer.
#include "agents/sparrow/sparrow.hpp"

#include <doctest/doctest.h>

#include <any>

#include "test/support/lone_peer.hpp"
#include "test/support/small_world.hpp"

namespace rhizome {

using agents::Sparrow;
using core::PeerId;
using namespace agents::sparrow;

namespace {

constexpr PeerId other{2};
constexpr PeerId third{3};

// Peer 1 of four with two slots each; the job at time 0 arrives wherever the ring says.
struct Alone {
  agents::World world;
  Options options;
  test::LonePeer<Sparrow> peer;

  explicit Alone(const Options& chosen = {}, PeerId self = PeerId{1})
      : world(make_world()), options(chosen), peer(self, [this](core::Peer& bare) {
          agents::sparrow_family().equip(bare, std::any(options), world);
        }) {
    peer.start();
  }
  static agents::World make_world() {
    agents::World made = test::small_world({.jobs = 2, .portions = 1});
    for (agents::Capacity& capacity : made.capacities) capacity.slots = 2;
    return made;
  }
  [[nodiscard]] const agents::Task& task() const {
    return world.workload.jobs.front().portions.front();
  }
  // Makes the peer the master of the job, as the source would after its master's death.
  void adopt() { peer.deliver(world.source, Adopt{{task().id}}); }
  // A probe on its way from its master.
  void probe(agents::TaskId id, std::uint32_t cpus = 1, std::uint32_t hops = 0) {
    peer.deliver(other, Probe{id, {cpus, 0}, other, hops});
  }
  // Gossip and pings go on for ever, so patience has an end.
  template <class Condition>
  void fire_until(Condition condition) {
    for (int i = 0; i < 500 && !condition(); ++i) REQUIRE(peer.fire_next());
    CHECK(condition());
  }
  [[nodiscard]] std::size_t probes_for(std::uint32_t job) const {
    std::size_t count = 0;
    for (const auto& [to, sent] : peer.sent<Probe>()) count += sent.task.job == job ? 1 : 0;
    return count;
  }
  [[nodiscard]] std::uint64_t placeholder() const {
    return peer.sent<Deposited>().back().second.placeholder;
  }
  void assign(std::uint64_t placeholder, agents::TaskId id, std::uint32_t cpus = 1) {
    agents::Task given = task();
    given.id = id;
    given.cpus = cpus;
    peer.deliver(other, Assign{placeholder, given});
  }
};

Options late(std::uint32_t probes) {
  Options options;
  options.probes = probes;
  return options;
}

}  // namespace

TEST_CASE("a placeholder reserves room when its turn comes, and runs what it is given") {
  Alone alone;
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
  Alone alone;
  alone.probe({7, 0}, 2);
  const std::uint64_t first = alone.placeholder();
  alone.probe({8, 0}, 1);
  CHECK(alone.peer.sent<Ready>().size() == 1);
  alone.peer.deliver(third, Cancel{first});  // not its master
  CHECK(alone.peer.sent<Ready>().size() == 1);
  alone.peer.deliver(other, Cancel{first});
  CHECK(alone.peer.sent<Ready>().size() == 2);
}

TEST_CASE("the queue is first in, first out: a small task does not pass a large one") {
  Alone alone;
  alone.probe({7, 0}, 1);
  alone.assign(alone.placeholder(), {7, 0}, 1);
  alone.probe({8, 0}, 2);
  alone.probe({9, 0}, 1);  // would fit
  CHECK(alone.peer.sent<Ready>().size() == 1);
  REQUIRE(alone.peer.complete_next());
  CHECK(alone.peer.sent<Ready>().size() == 2);
}

TEST_CASE("a probe that cannot start is passed on while hops are left, each task's once") {
  Options walk = late(1);
  walk.max_hops = 2;
  Alone alone(walk);
  alone.probe({7, 0}, 2);  // reserved: nothing is free any more
  alone.probe({8, 0}, 2, 1);
  REQUIRE(alone.peer.sent<Probe>().size() == 1);
  CHECK(alone.peer.sent<Probe>()[0].second.hops == 2);
  CHECK(alone.peer.sent<Probe>()[0].first != other);  // not back
  alone.probe({9, 0}, 2, 2);
  CHECK(alone.peer.sent<Deposited>().size() == 2);
  alone.probe({9, 0}, 2, 2);  // once more: it has a placeholder here
  CHECK(alone.peer.sent<Probe>().size() == 2);
  CHECK(alone.peer.sent<Deposited>().size() == 2);
}

TEST_CASE("a master probes, gives the task to whoever is ready first and sends the others away") {
  Alone alone(late(2));
  alone.adopt();
  REQUIRE(alone.peer.sent<Probe>().size() == 2);
  CHECK(alone.peer.sent<Probe>()[0].first != alone.peer.sent<Probe>()[1].first);
  alone.peer.deliver(other, Deposited{alone.task().id, 10});
  alone.peer.deliver(third, Deposited{alone.task().id, 11});
  alone.peer.deliver(third, Ready{alone.task().id, 11});
  alone.peer.deliver(other, Ready{alone.task().id, 10});
  REQUIRE(alone.peer.sent<Assign>().size() == 1);
  CHECK(alone.peer.sent<Assign>()[0].first == third);
  REQUIRE(alone.peer.sent<Cancel>().size() == 1);
  CHECK(alone.peer.sent<Cancel>()[0].first == other);
  alone.peer.deliver(third, Completed{alone.task().id});
  REQUIRE(alone.peer.sent<Report>().size() == 1);
  CHECK(alone.peer.sent<Report>()[0].first == alone.world.source);
}

TEST_CASE("a task probes again while it lacks a placeholder, and not for others' sake") {
  Alone alone(late(1));
  alone.adopt();
  alone.peer.deliver(other, Deposited{alone.task().id, 10});
  alone.peer.deliver(alone.world.source, Adopt{{{1, 0}}});  // its probe is still on its way
  alone.fire_until([&] { return alone.probes_for(1) == 2; });
  CHECK(alone.peer.now() >= core::Time(std::chrono::seconds(2)));
  CHECK(alone.probes_for(0) == 1);
}

TEST_CASE("a question that comes twice is answered alike") {
  Alone alone(late(2));
  alone.adopt();
  alone.peer.deliver(other, Deposited{alone.task().id, 10});
  alone.peer.deliver(other, Ready{alone.task().id, 10});
  alone.peer.deliver(other, Ready{alone.task().id, 10});
  REQUIRE(alone.peer.sent<Assign>().size() == 2);
  CHECK(alone.peer.sent<Assign>()[1].second.placeholder == 10);
  CHECK(alone.peer.sent<Cancel>().empty());
}

TEST_CASE("a master with room takes its own task without asking anybody else") {
  Options selfish = late(2);
  selfish.self_assign = true;
  Alone alone(selfish);
  alone.adopt();
  REQUIRE(alone.peer.sent<Probe>().size() == 1);
  CHECK(alone.peer.sent<Probe>()[0].first == PeerId{1});
}

TEST_CASE("early binding places each task of a job on the least loaded peers of one sample") {
  Options batch = late(1);
  batch.sampling = Sampling::batch;
  Alone alone(batch);
  alone.adopt();
  REQUIRE(alone.peer.sent<Query>().size() == 1);
  const PeerId asked = alone.peer.sent<Query>()[0].first;
  alone.peer.deliver(asked, Load{alone.peer.sent<Query>()[0].second.sampling, 1.5});
  REQUIRE(alone.peer.sent<Place>().size() == 1);
  CHECK(alone.peer.sent<Place>()[0].first == asked);
}

TEST_CASE("a task that its executor does not know is placed anew") {
  Options random = late(1);
  random.sampling = Sampling::random;
  Alone alone(random);
  alone.adopt();
  REQUIRE(alone.peer.sent<Place>().size() == 1);
  const PeerId executor = alone.peer.sent<Place>()[0].first;
  alone.peer.deliver(third == executor ? other : third, Unknown{{alone.task().id}, {}});
  CHECK(alone.peer.sent<Place>().size() == 1);  // whoever says so does not have it
  alone.peer.deliver(executor, Unknown{{alone.task().id}, {}});
  CHECK(alone.peer.sent<Place>().size() == 2);
}

TEST_CASE("a task that comes twice is run once, and its result told again when asked") {
  Alone alone;
  alone.peer.deliver(other, Place{alone.task()});
  alone.peer.deliver(other, Place{alone.task()});
  CHECK(alone.peer.works().size() == 1);
  REQUIRE(alone.peer.complete_next());
  alone.peer.deliver(other, Audit{{alone.task().id, {5, 0}}, {}});
  CHECK(alone.peer.sent<Completed>().size() == 2);
  REQUIRE(alone.peer.sent<Unknown>().size() == 1);
  CHECK(alone.peer.sent<Unknown>()[0].second.tasks == std::vector<agents::TaskId>{{5, 0}});
}

TEST_CASE("a placeholder that its peer does not know makes room for another") {
  Options soon = late(1);
  soon.audit_after = std::chrono::seconds(1);  // before the other is taken for dead
  Alone alone(soon);
  alone.adopt();
  alone.peer.deliver(other, Deposited{alone.task().id, 10});
  alone.fire_until([&] { return !alone.peer.sent<Audit>().empty(); });
  CHECK(alone.probes_for(0) == 1);
  CHECK(alone.peer.sent<Audit>()[0].first == other);
  CHECK(alone.peer.sent<Audit>()[0].second.placeholders == std::vector<std::uint64_t>{10});
  alone.peer.deliver(other, Unknown{{}, {10}});
  alone.fire_until([&] { return alone.probes_for(0) == 2; });
}

TEST_CASE("placeholders that stand are known, others are not") {
  Alone alone;
  alone.probe({7, 0}, 2);
  alone.probe({8, 0}, 2);
  alone.peer.deliver(other, Audit{{}, {alone.placeholder(), 99}});
  REQUIRE(alone.peer.sent<Unknown>().size() == 1);
  CHECK(alone.peer.sent<Unknown>()[0].second.placeholders == std::vector<std::uint64_t>{99});
}

TEST_CASE("a master that was taken for dead lets go of what waits") {
  Alone alone(late(1));
  alone.adopt();
  alone.peer.deliver(other, Deposited{alone.task().id, 10});
  alone.peer.deliver(alone.world.source, Disown{{alone.task().id}});
  alone.peer.deliver(other, Ready{alone.task().id, 10});
  CHECK(alone.peer.sent<Assign>().empty());
  CHECK(alone.peer.sent<Cancel>().size() == 1);
}

TEST_CASE("the source notes a result once, and tells everybody when all are done") {
  Alone alone({}, PeerId{0});
  alone.peer.deliver(other, Report{alone.task().id, third});
  alone.peer.deliver(other, Report{alone.task().id, third});
  CHECK(alone.peer.sent<Noted>().size() == 2);
  CHECK(alone.peer.sent<Over>().empty());
  alone.peer.deliver(other, Report{{1, 0}, third});
  CHECK(alone.peer.sent<Over>().size() == 3);
  std::size_t completed = 0;
  for (const core::Fact& fact : alone.peer.facts())
    completed += fact.name == agents::facts::task_completed ? 1 : 0;
  CHECK(completed == 2);
  CHECK_FALSE(alone.peer.finished());
  for (const std::uint32_t peer : {1U, 2U, 3U}) alone.peer.deliver(PeerId{peer}, OverToo{});
  CHECK(alone.peer.finished());
}

TEST_CASE("options that have no effect, or cannot be, are refused") {
  const agents::Scheduler family = agents::sparrow_family();
  const agents::World world = Alone::make_world();
  Options options;
  CHECK(family.refusal(std::any(options), world).empty());
  options.shuffle_length = 11;
  CHECK(family.refusal(std::any(options), world).find("view_size") != std::string::npos);
  options = {};
  options.sampling = Sampling::batch;
  options.max_hops = 3;
  CHECK(family.refusal(std::any(options), world).find("late") != std::string::npos);
  agents::World crowded = Alone::make_world();
  crowded.workload.jobs.front().portions.front().cpus = 3;
  CHECK(family.refusal(std::any(Options{}), crowded) == "task 0.0 fits no peer");
}

}  // namespace rhizome
