// The scheduling side of a Sparrow peer: probes, bindings, samples, and the loss of an executor.
#include "agents/sparrow/master.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "overlay/graph.hpp"
#include "test/support/lone_sparrow.hpp"

namespace rhizome::sparrow_master_test {

using core::PeerId;
using test::early;
using test::LoneSparrow;
using test::other;
using test::probing;
using test::third;
using namespace agents::sparrow;

namespace {

constexpr agents::TaskId first{0, 0};
constexpr agents::TaskId second{1, 0};

}  // namespace

TEST_CASE("the probes of a task are distinguished, whichever peer passes them on") {
  LoneSparrow alone(probing(2));
  alone.adopt();
  alone.fire_until([&] { return alone.peer.sent<Probe>().size() > 2; });
  std::set<std::uint64_t> steps;
  for (const auto& [to, probe] : alone.peer.sent<Probe>()) {
    CHECK(alone.walks.hops(probe.step) == 0);
    steps.insert(probe.step.value);
  }
  CHECK(steps.size() == alone.peer.sent<Probe>().size());
}

TEST_CASE(
    "a master probes, gives the task to the first peer that is ready and dismisses the others") {
  LoneSparrow alone(probing(2));
  alone.adopt();
  REQUIRE(alone.peer.sent<Probe>().size() == 2);
  CHECK(alone.peer.sent<Probe>()[0].first != alone.peer.sent<Probe>()[1].first);
  alone.peer.deliver(other, Deposited{first, 10});
  alone.peer.deliver(third, Deposited{first, 11});
  alone.peer.deliver(third, Ready{first, 11});
  alone.peer.deliver(other, Ready{first, 10});
  REQUIRE(alone.peer.sent<Assign>().size() == 1);
  CHECK(alone.peer.sent<Assign>()[0].first == third);
  REQUIRE(alone.peer.sent<Cancel>().size() == 1);
  CHECK(alone.peer.sent<Cancel>()[0].first == other);
  alone.peer.deliver(third, Completed{first});
  REQUIRE(alone.peer.sent<Report>().size() == 1);
  CHECK(alone.peer.sent<Report>()[0].first == alone.world.source);
}

TEST_CASE("a task that is handed over twice in one message is one task") {
  LoneSparrow alone(probing(1));
  alone.adopt({first, first});
  CHECK(alone.peer.sent<Probe>().size() == 1);
  alone.peer.deliver(other, Deposited{first, 10});
  alone.peer.deliver(other, Ready{first, 10});
  alone.peer.deliver(third, Deposited{first, 11});
  alone.peer.deliver(third, Ready{first, 11});
  CHECK(alone.peer.sent<Assign>().size() == 1);
}

TEST_CASE("the oldest waiting task is taken first") {
  LoneSparrow alone(probing(1));
  alone.adopt({first});
  alone.adopt({second});
  alone.peer.deliver(other, Deposited{second, 10});
  alone.peer.deliver(other, Ready{second, 10});
  REQUIRE(alone.peer.sent<Assign>().size() == 1);
  CHECK(alone.peer.sent<Assign>()[0].second.task.id == first);
}

TEST_CASE("a placeholder is given nothing larger than it was deposited for") {
  test::World world = LoneSparrow::make_world();
  world.workload.jobs[0].portions[0].cpus = 2;
  world.settle();
  LoneSparrow alone(probing(1), PeerId{2}, world);
  alone.adopt({first, second});
  alone.peer.deliver(other, Deposited{second, 10});
  alone.peer.deliver(other, Ready{second, 10});
  REQUIRE(alone.peer.sent<Assign>().size() == 1);
  CHECK(alone.peer.sent<Assign>()[0].second.task.id == second);
}

TEST_CASE("under per-job binding a placeholder serves its own job only") {
  for (const Binding binding : {Binding::per_job, Binding::per_master}) {
    Options options = probing(1);
    options.binding = binding;
    LoneSparrow alone(options);
    alone.adopt({first, second});
    alone.peer.deliver(other, Deposited{second, 10});
    alone.peer.deliver(other, Ready{second, 10});
    REQUIRE(alone.peer.sent<Assign>().size() == 1);
    const bool own = alone.peer.sent<Assign>()[0].second.task.id == second;
    CHECK(own == (binding == Binding::per_job));
  }
}

TEST_CASE("a task probes again while it lacks a placeholder, and not for others' sake") {
  LoneSparrow alone(probing(1));
  alone.adopt();
  alone.peer.deliver(other, Deposited{first, 10});
  alone.adopt({second});  // its probe is still on its way
  alone.fire_until([&] { return alone.probes_for(1) == 2; });
  CHECK(alone.peer.now() >= core::Time(std::chrono::seconds(2)));
  CHECK(alone.probes_for(0) == 1);
}

TEST_CASE("a task probes again and again, every two seconds, until it has its placeholders") {
  LoneSparrow alone(probing(1));
  alone.adopt();
  alone.fire_until([&] { return alone.probes_for(0) == 4; });
  CHECK(alone.peer.now() >= core::Time(std::chrono::seconds(6)));
  CHECK(alone.peer.now() < core::Time(std::chrono::seconds(7)));
}

TEST_CASE("a question that comes twice is answered alike") {
  LoneSparrow alone(probing(2));
  alone.adopt();
  alone.peer.deliver(other, Deposited{first, 10});
  alone.peer.deliver(other, Ready{first, 10});
  alone.peer.deliver(other, Ready{first, 10});
  REQUIRE(alone.peer.sent<Assign>().size() == 2);
  CHECK(alone.peer.sent<Assign>()[1].second.placeholder == 10);
  CHECK(alone.peer.sent<Cancel>().empty());
}

TEST_CASE("a placeholder that is told of twice counts once") {
  LoneSparrow alone(probing(2));
  alone.adopt();
  alone.peer.deliver(other, Deposited{first, 10});
  alone.peer.deliver(other, Deposited{first, 10});
  alone.fire_until([&] { return alone.probes_for(0) == 3; });
}

TEST_CASE("a master whose fixed neighbours are all dead probes another peer") {
  test::World world = LoneSparrow::make_world();
  world.graph = overlay::graph_of(4, std::vector<overlay::Edge>{{1, 2}, {0, 1}, {0, 3}});
  Options still = probing(1);
  still.view = ViewSource::graph;
  LoneSparrow alone(still, PeerId{2}, world);
  alone.probe({9, 0});  // so that its master is watched, which is the only neighbour
  alone.leaves(other);
  alone.adopt();
  REQUIRE(alone.peer.sent<Probe>().size() == 1);
  CHECK(alone.peer.sent<Probe>()[0].first != other);
  CHECK(alone.peer.sent<Probe>()[0].first != PeerId{2});
}

TEST_CASE("a master without an answer from fixed, unwatched neighbours asks all peers") {
  test::World world = LoneSparrow::make_world();
  world.graph = overlay::graph_of(4, std::vector<overlay::Edge>{{1, 2}, {0, 1}, {0, 3}});
  Options still = probing(1);
  still.view = ViewSource::graph;
  still.probe_timeout = std::chrono::milliseconds(100);
  LoneSparrow alone(still, PeerId{2}, world);
  alone.adopt();
  REQUIRE(alone.peer.sent<Probe>().size() == 1);
  CHECK(alone.peer.sent<Probe>()[0].first == other);
  alone.fire_until([&] { return alone.peer.sent<Probe>().size() == 30; });
  std::set<PeerId> asked;
  for (const auto& [to, probe] : alone.peer.sent<Probe>()) asked.insert(to);
  CHECK(asked.size() == 4);
}

TEST_CASE("a master with room takes its own task without asking any other peer") {
  Options selfish = probing(2);
  selfish.self_assign = true;
  LoneSparrow alone(selfish);
  alone.adopt();
  REQUIRE(alone.peer.sent<Probe>().size() == 1);
  CHECK(alone.peer.sent<Probe>()[0].first == PeerId{2});
}

TEST_CASE("a master keeps no more of its own tasks than it has room for") {
  Options selfish = probing(1);
  selfish.self_assign = true;
  LoneSparrow alone(selfish);
  alone.probe({9, 0});  // one slot of two is reserved
  alone.adopt({{0, 0}, {0, 1}});
  const auto probes = alone.peer.sent<Probe>();
  REQUIRE(probes.size() == 2);
  CHECK(probes[0].first == PeerId{2});
  CHECK(probes[1].first != PeerId{2});
}

TEST_CASE("placeholders that no task needs any more are taken back at once if told to") {
  for (const Cancellation way : {Cancellation::proactive, Cancellation::lazy}) {
    Options options = probing(2);
    options.cancellation = way;
    LoneSparrow alone(options);
    const bool proactive = way == Cancellation::proactive;
    alone.adopt({first, second});
    alone.peer.deliver(other, Deposited{first, 10});
    alone.peer.deliver(third, Deposited{first, 11});
    alone.peer.deliver(other, Ready{first, 10});
    CHECK(alone.peer.sent<Cancel>().empty());  // the second task may need the other one
    alone.peer.deliver(other, Deposited{second, 12});
    alone.peer.deliver(other, Ready{second, 12});
    REQUIRE(alone.peer.sent<Cancel>().size() == (proactive ? 1 : 0));
    if (proactive) CHECK(alone.peer.sent<Cancel>()[0].first == third);
    alone.peer.deliver(third, Deposited{second, 13});  // it had been on its way
    CHECK(alone.peer.sent<Cancel>().size() == (proactive ? 2 : 0));
  }
}

TEST_CASE("proactive cancellation under per-job binding leaves other jobs' placeholders alone") {
  Options options = probing(2);
  options.cancellation = Cancellation::proactive;
  options.binding = Binding::per_job;
  LoneSparrow alone(options);
  alone.adopt({first, second});
  alone.peer.deliver(other, Deposited{first, 10});
  alone.peer.deliver(third, Deposited{first, 11});
  alone.peer.deliver(third, Deposited{second, 12});
  alone.peer.deliver(other, Ready{first, 10});
  REQUIRE(alone.peer.sent<Cancel>().size() == 1);
  CHECK(alone.peer.sent<Cancel>()[0].second.placeholder == 11);
}

TEST_CASE("a placeholder that its peer does not know makes room for another") {
  Options soon = probing(1);
  soon.audit_after = std::chrono::seconds(1);  // before the other is taken for dead
  LoneSparrow alone(soon);
  alone.adopt();
  alone.peer.deliver(other, Deposited{first, 10});
  alone.fire_until([&] { return !alone.peer.sent<Audit>().empty(); });
  CHECK(alone.probes_for(0) == 1);
  CHECK(alone.peer.sent<Audit>()[0].first == other);
  CHECK(alone.peer.sent<Audit>()[0].second.placeholders == std::vector<std::uint64_t>{10});
  alone.peer.deliver(other, Unknown{{}, {10}});
  alone.fire_until([&] { return alone.probes_for(0) == 2; });
}

TEST_CASE("the tasks of an executor that died are placed again, the oldest first") {
  LoneSparrow alone(probing(1));
  alone.adopt({first, second});
  for (const std::uint64_t placeholder : {10, 11}) {
    alone.peer.deliver(other, Deposited{first, placeholder});
    alone.peer.deliver(other, Ready{first, placeholder});
  }
  REQUIRE(alone.peer.sent<Assign>().size() == 2);
  const std::size_t probes = alone.peer.sent<Probe>().size();
  alone.leaves(other);
  CHECK(alone.noted<agents::TaskReissued>() == 2);
  const auto again = alone.peer.sent<Probe>();
  REQUIRE(again.size() == probes + 2);
  CHECK(again.back().first != other);
  alone.peer.deliver(third, Deposited{second, 12});
  alone.peer.deliver(third, Ready{second, 12});
  REQUIRE(alone.peer.sent<Assign>().size() == 3);
  CHECK(alone.peer.sent<Assign>()[2].second.task.id == first);
}

TEST_CASE("an executor that was silent for a while is asked at once for its tasks") {
  LoneSparrow alone(probing(1));
  alone.adopt({first, second});
  for (const std::uint64_t placeholder : {10, 11})
    alone.peer.deliver(other, Deposited{first, placeholder});
  alone.peer.deliver(other, Ready{first, 10});
  alone.fire_until([&] { return alone.noted<overlay::PeerSuspected>() == 1; });
  alone.peer.deliver(other, Ready{first, 11});  // its task may be under way still
  REQUIRE(alone.peer.sent<Audit>().empty());
  alone.peer.deliver_to<overlay::FailureDetector>(other, overlay::Pong{PeerId{2}, other, 0});
  REQUIRE(alone.noted<overlay::PeerAlive>() == 1);
  REQUIRE(alone.peer.sent<Audit>().size() == 1);
  CHECK(alone.peer.sent<Audit>()[0].first == other);
  CHECK(alone.peer.sent<Audit>()[0].second.tasks == std::vector<agents::TaskId>{first});
  CHECK(alone.noted<agents::TaskReissued>() == 0);
  alone.peer.deliver(other, Unknown{{first}, {}});
  CHECK(alone.noted<agents::TaskReissued>() == 1);
}

TEST_CASE(
    "the tasks of an executor are placed again if its first answer to a ping is of a later life") {
  const auto answers_in = [](LoneSparrow& alone, std::uint32_t life) {
    alone.peer.deliver_to<overlay::FailureDetector>(other, overlay::Pong{PeerId{2}, other, life});
    return alone.noted<agents::TaskReissued>();
  };
  for (const std::uint32_t life : {1, 2}) {
    LoneSparrow late(probing(1));
    late.adopt();
    late.peer.deliver(other, Deposited{first, placeholder(1, 10)});
    late.peer.deliver(other, Ready{first, placeholder(1, 10)});
    CHECK(answers_in(late, life) == life - 1);
    LoneSparrow early_bound(early(Sampling::per_task, 1));
    early_bound.adopt();
    const auto asked = early_bound.peer.sent<Query>();
    early_bound.peer.deliver(other, Load{asked.at(0).second.sampling, 1, 9, {2, 1}});
    CHECK(answers_in(early_bound, life) == life - 1);
  }
}

TEST_CASE("a placeholder of a former life of its peer counts for nothing") {
  LoneSparrow alone(probing(1));
  alone.adopt({first, second});
  alone.peer.deliver(other, Deposited{first, placeholder(1, 10)});
  alone.peer.deliver(other, Deposited{second, placeholder(0, 10)});
  alone.peer.deliver(other, Ready{second, placeholder(0, 10)});
  CHECK(alone.peer.sent<Assign>().empty());
  CHECK(alone.peer.sent<Cancel>().empty());
  alone.fire_until([&] { return alone.probes_for(1) == 2; });  // it was not deposited
  CHECK(alone.probes_for(0) == 1);
}

TEST_CASE("nothing is bound to a peer that is held for dead already") {
  LoneSparrow alone(probing(1));
  alone.adopt();
  alone.peer.deliver(other, Deposited{first, 10});
  alone.leaves(other);
  alone.peer.deliver(other, Ready{first, 10});
  alone.peer.deliver(other, Deposited{first, 11});
  alone.peer.deliver(other, Ready{first, 11});
  CHECK(alone.peer.sent<Assign>().empty());
  alone.fire_until([&] { return alone.probes_for(0) >= 2; });
  LoneSparrow sampling(early(Sampling::per_task, 1));
  sampling.probe({9, 0});  // so that it is watched
  sampling.leaves(other);
  sampling.adopt();
  const auto asked = sampling.peer.sent<Query>();
  REQUIRE(asked.size() == 1);
  CHECK(asked[0].first != other);
  sampling.peer.deliver(other, Load{asked[0].second.sampling, 0, 9, {2, 1}});
  CHECK(sampling.peer.sent<Place>().empty());
}

TEST_CASE("a result counts only from a peer that was given the task, also earlier") {
  LoneSparrow alone(probing(1));
  alone.adopt();
  alone.peer.deliver(other, Completed{first});
  CHECK(alone.peer.sent<Report>().empty());
  alone.peer.deliver(other, Deposited{first, 10});
  alone.peer.deliver(other, Ready{first, 10});
  alone.leaves(other);
  alone.peer.deliver(other, Completed{first});  // it had been on its way
  CHECK(alone.peer.sent<Report>().size() == 1);
  alone.peer.deliver(third, Ready{first, 11});
  CHECK(alone.peer.sent<Assign>().size() == 1);
}

TEST_CASE("a result told twice is reported once, and so is that of another executor") {
  LoneSparrow alone(early(Sampling::random, 2));
  alone.adopt();
  const PeerId executor = alone.peer.sent<Place>()[0].first;
  alone.peer.deliver(executor, Completed{first});
  alone.peer.deliver(alone.world.source, Noted{first});
  alone.peer.deliver(executor, Completed{first});  // the answer to an audit on its way
  CHECK(alone.peer.sent<Report>().size() == 1);
  alone.peer.deliver(executor == other ? third : other, Completed{first});
  CHECK(alone.peer.sent<Report>().size() == 2);
  const std::size_t placed = alone.peer.sent<Place>().size();
  alone.adopt();  // the source has not heard of it, or this is late
  CHECK(alone.peer.sent<Report>().size() == 3);
  CHECK(alone.peer.sent<Place>().size() == placed);
}

TEST_CASE("a result is reported until the source has noted it") {
  LoneSparrow alone(early(Sampling::random, 2));
  alone.adopt();
  alone.peer.deliver(alone.peer.sent<Place>()[0].first, Completed{first});
  alone.fire_until([&] { return alone.peer.sent<Report>().size() == 3; });
  alone.peer.deliver(alone.world.source, Noted{first});
  for (int i = 0; i < 100; ++i) REQUIRE(alone.peer.fire_next());
  CHECK(alone.peer.sent<Report>().size() == 3);
}

TEST_CASE("a master that was taken for dead drops its waiting tasks") {
  LoneSparrow alone(probing(1));
  alone.adopt();
  alone.peer.deliver(other, Deposited{first, 10});
  alone.peer.deliver(alone.world.source, Disown{{first}});
  alone.peer.deliver(other, Ready{first, 10});
  CHECK(alone.peer.sent<Assign>().empty());
  CHECK(alone.peer.sent<Cancel>().size() == 1);
}

}  // namespace rhizome::sparrow_master_test
