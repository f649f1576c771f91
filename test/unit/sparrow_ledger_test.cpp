// The source of a Sparrow run, the options that are refused, and messages that are not believed.
#include "agents/sparrow/ledger.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>

#include "test/support/lone_sparrow.hpp"

namespace rhizome::sparrow_ledger_test {

using agents::Over, agents::OverToo;
using core::PeerId;
using test::LoneSparrow;
using test::other, test::third;
using namespace agents::sparrow;

namespace {

test::World two_tasks() {
  test::World world = test::small_world({.jobs = 2, .portions = 1});
  return world;
}

struct Source : LoneSparrow {
  Source() : LoneSparrow({}, PeerId{0}, two_tasks()) {}
  void report(agents::TaskId task, PeerId master = other) {
    peer.deliver(master, Report{task, third});
  }
  void acknowledge() {
    for (const std::uint32_t each : {1U, 2U, 3U}) peer.deliver(PeerId{each}, OverToo{});
  }
};

}  // namespace

TEST_CASE("the source notes a result once, and tells all peers when all are done") {
  Source source;
  source.report({0, 0});
  source.report({0, 0});
  CHECK(source.peer.sent<Noted>().size() == 2);
  CHECK(source.noted<agents::TaskCompleted>() == 1);
  CHECK(source.noted<agents::TaskDuplicate>() == 1);
  CHECK(source.peer.sent<Over>().empty());
  source.report({1, 0});
  CHECK(source.peer.sent<Over>().size() == 3);
  CHECK(source.noted<agents::TaskCompleted>() == 2);
  CHECK(source.noted<agents::JobCompleted>() == 2);
  CHECK_FALSE(source.peer.finished());
  source.acknowledge();
  CHECK(source.peer.finished());
}

TEST_CASE("a dead peer that is not known as dead does not delay the end, and is still told of it") {
  Source source;
  const auto told = [&] {
    std::size_t count = 0;
    for (const auto& [to, over] : source.peer.sent<Over>()) count += to == third;
    return count;
  };
  source.report({0, 0});
  source.report({1, 0});
  source.peer.deliver(PeerId{1}, OverToo{});
  source.peer.deliver(PeerId{2}, OverToo{});
  const core::Time told_first = source.peer.now();
  source.fire_until([&] { return source.peer.finished(); });
  CHECK(source.peer.now() - told_first == source.options.probe_timeout);
  std::size_t armed = 0;
  for (const auto& service : source.peer.peer().services()) armed += service->armed().size();
  CHECK(armed == 0);
  CHECK(told() == 2);

  SUBCASE("until it answers") {
    source.fire_until([&] { return told() == 4; });
    source.peer.deliver(third, OverToo{});
  }
  SUBCASE("until it is dead") { source.leaves(third); }
  const std::size_t before = told();
  for (int i = 0; i < 100; ++i) REQUIRE(source.peer.fire_next());
  CHECK(told() == before);
}

TEST_CASE("a peer that was taken for dead and comes back after the end is told until it answers") {
  Source source;
  source.report({0, 0});
  source.report({1, 0});
  source.peer.deliver(PeerId{1}, OverToo{});
  source.peer.deliver(PeerId{2}, OverToo{});
  source.fire_until([&] { return source.peer.finished(); });
  source.leaves(third);
  source.peer.forget();
  source.peer.deliver_to<overlay::FailureDetector>(third, overlay::Pong{PeerId{0}, third, 0});
  CHECK(source.peer.sent<Over>().size() == 1);
  source.fire_until([&] { return source.peer.sent<Over>().size() == 3; });
  source.peer.deliver(third, OverToo{});
  for (int i = 0; i < 100; ++i) REQUIRE(source.peer.fire_next());
  CHECK(source.peer.sent<Over>().size() == 3);
}

TEST_CASE("the source does not tell itself that all is over, and rests with no timer armed") {
  Source source;
  source.report({0, 0}, PeerId{0});
  source.report({1, 0}, PeerId{0});
  source.report({1, 0}, PeerId{0});  // its own master says it once more
  for (const auto& [to, over] : source.peer.sent<Over>()) CHECK(to != PeerId{0});
  source.peer.deliver(PeerId{0}, Over{});
  CHECK_FALSE(source.peer.finished());
  source.fire_until([&] { return source.peer.sent<Over>().size() >= 6; });
  source.acknowledge();
  CHECK(source.peer.finished());
  std::size_t armed = 0;
  for (const auto& service : source.peer.peer().services()) armed += service->armed().size();
  CHECK(armed == 0);
}

namespace {

// In every job the second task needs the first.
struct Chained : LoneSparrow {
  Chained() : LoneSparrow({}, PeerId{0}, chained()) {}
  static test::World chained() {
    test::World world = test::small_world({.jobs = 10, .portions = 2});
    for (agents::Job& job : world.workload.jobs) job.dependencies = {{.task = 1, .needs = 0}};
    world.settle();
    return world;
  }
  [[nodiscard]] PeerId master_of(std::uint32_t job) const {
    return overlay::HashRing(world.peers(), options.virtual_nodes).owner(job);
  }
  // The first that another peer than the source is given.
  [[nodiscard]] std::uint32_t job() const {
    std::uint32_t first = 0;
    while (master_of(first) == PeerId{0}) ++first;
    return first;
  }
  // The peers to which the source has given that portion of the job.
  [[nodiscard]] std::vector<PeerId> given(std::uint32_t portion) {
    std::vector<PeerId> successors;
    for (const auto& [to, adopt] : peer.sent<Adopt>())
      for (const agents::Task& task : adopt.tasks)
        if (task.id == agents::TaskId{job(), portion}) successors.push_back(to);
    return successors;
  }
};

}  // namespace

TEST_CASE("a successor is given runnable tasks of a graph, and the rest as soon as they may run") {
  Chained source;
  const std::uint32_t job = source.job();
  const PeerId master = source.master_of(job);
  SUBCASE("where its master died before anything was done") {
    source.leaves(master);
    REQUIRE(source.given(0).size() == 1);
    CHECK(source.given(1).empty());
    const PeerId successor = source.given(0).front();
    CHECK(successor != master);
    source.peer.deliver(successor, Report{{job, 0}, third});
    CHECK(source.given(1) == std::vector<PeerId>{successor});
  }
  SUBCASE("where it died when it had released the rest itself") {
    source.peer.deliver(master, Report{{job, 0}, third});
    CHECK(source.peer.sent<Adopt>().empty());
    source.leaves(master);
    CHECK(source.given(0).empty());
    REQUIRE(source.given(1).size() == 1);
    CHECK(source.given(1).front() != master);
  }
}

TEST_CASE("a result that overtakes the news of its job is not noted, so that it comes again") {
  test::World world = two_tasks();
  world.workload.jobs[1].arrival = core::Time{} + std::chrono::seconds(1);
  world.settle();
  LoneSparrow source({}, PeerId{0}, world);
  source.peer.deliver(other, Report{{1, 0}, third});
  CHECK(source.peer.sent<Noted>().empty());
  source.fire_until([&] { return source.peer.now() > core::Time{} + std::chrono::seconds(1); });
  source.peer.deliver(other, Report{{1, 0}, third});
  CHECK(source.peer.sent<Noted>().size() == 1);
  CHECK(source.noted<agents::TaskCompleted>() == 1);
}

TEST_CASE("a peer that reports after the end is told of it") {
  Source source;
  source.report({0, 0});
  source.report({1, 0});
  const std::size_t told = source.peer.sent<Over>().size();
  source.report({1, 0}, third);
  REQUIRE(source.peer.sent<Over>().size() == told + 1);
  CHECK(source.peer.sent<Over>().back().first == third);
}

// A way there and back takes two of the longest delays, and of one pair in a thousand more: four
// of them for each way are passed in no world that is known.
TEST_CASE("a result is not reported twice before the source can have noted it") {
  for (const core::Duration delay : {core::Duration(0), core::Duration(std::chrono::seconds(3))}) {
    test::World world = LoneSparrow::make_world();
    world.longest_delay = delay;
    LoneSparrow alone({}, PeerId{2}, world);
    alone.peer.deliver(other, Completed{{0, 0}});
    const core::Time reported = alone.peer.now();
    alone.fire_until([&] { return alone.peer.sent<Report>().size() == 2; });
    CHECK(alone.peer.now() - reported >= std::max(alone.options.probe_timeout, 8 * delay));
    CHECK(alone.peer.now() - reported <= alone.options.probe_timeout + 8 * delay);
    alone.peer.deliver(alone.world.source, Noted{{0, 0}});
    for (int i = 0; i < 100; ++i) REQUIRE(alone.peer.fire_next());
    CHECK(alone.peer.sent<Report>().size() == 2);
  }
}

TEST_CASE("the jobs of a dead master go to its successor, without the tasks that are done") {
  LoneSparrow source({}, PeerId{0});
  source.peer.deliver(other, Report{{0, 1}, third});
  source.leaves(other);  // the ring gives it jobs 0, 1, 3, 6 and 7
  const auto adopted = source.peer.sent<Adopt>();
  REQUIRE_FALSE(adopted.empty());
  std::size_t tasks = 0;
  for (const auto& [successor, adopt] : adopted) {
    CHECK(successor != other);
    tasks += adopt.tasks.size();
    for (const agents::Task& task : adopt.tasks) CHECK(task.id != agents::TaskId{0, 1});
  }
  CHECK(tasks == 9);
}

TEST_CASE("a successor is told again until it has acknowledged") {
  LoneSparrow source({}, PeerId{0});
  source.leaves(other);
  const auto told = source.peer.sent<Adopt>();
  REQUIRE_FALSE(told.empty());
  source.fire_until([&] { return source.peer.sent<Adopt>().size() == 2 * told.size(); });
  for (const auto& [successor, adopt] : told) {
    Adopted acknowledged{.tasks = {}, .order = adopt.order};
    for (const agents::Task& task : adopt.tasks) acknowledged.tasks.push_back(task.id);
    source.peer.deliver(successor, acknowledged);
  }
  for (int i = 0; i < 50; ++i) REQUIRE(source.peer.fire_next());
  CHECK(source.peer.sent<Adopt>().size() == 2 * told.size());
}

// It restarts while its acknowledgement is on its way, and is given the same once more.
TEST_CASE("a successor is told again though a former life of it has acknowledged") {
  LoneSparrow source({}, PeerId{0});
  source.leaves(other);
  const auto told = source.peer.sent<Adopt>();
  REQUIRE_FALSE(told.empty());
  for (const auto& [successor, adopt] : told) {
    Adopted late{.tasks = {}, .order = adopt.order - 1};
    for (const agents::Task& task : adopt.tasks) late.tasks.push_back(task.id);
    source.peer.deliver(successor, late);
  }
  source.fire_until([&] { return source.peer.sent<Adopt>().size() == 2 * told.size(); });
}

TEST_CASE("a master that begins a later life has lost its jobs: they are handed out again") {
  LoneSparrow source({}, PeerId{0});
  source.peer.deliver(other, Hello{1});
  CHECK(source.peer.sent<Welcome>().size() == 1);
  const std::size_t adopted = source.peer.sent<Adopt>().size();
  CHECK(adopted > 0);
  source.peer.deliver(other, Hello{1});  // it had not heard the answer
  source.peer.deliver(other, Hello{0});  // too late
  source.peer.deliver(other, Hello{1});
  CHECK(source.peer.sent<Adopt>().size() == adopted);
}

TEST_CASE("a peer that hears nothing of the source for long asks, and gives up in the end") {
  LoneSparrow alone;
  alone.fire_until([&] { return alone.peer.sent<Hello>().size() == 3; });
  alone.peer.deliver(alone.world.source, Welcome{});
  const core::Time heard = alone.peer.now();
  for (int i = 0; i < 10'000 && !alone.peer.finished(); ++i) REQUIRE(alone.peer.fire_next());
  CHECK(alone.peer.finished());
  CHECK(alone.noted<agents::RunFailed>() == 1);
  CHECK(alone.peer.now() - heard >= std::chrono::minutes(5));
  CHECK(alone.peer.now() - heard < std::chrono::minutes(6));
}

TEST_CASE("the source is asked before it is given up, though audits come later still") {
  Options options;
  options.audit_after = std::chrono::minutes(10);
  LoneSparrow alone(options);
  alone.fire_until([&] { return !alone.peer.sent<Hello>().empty(); });
  alone.peer.deliver(alone.world.source, Welcome{});
  CHECK(alone.peer.now() < core::Time(options.give_up));
  CHECK_FALSE(alone.peer.finished());
}

TEST_CASE("a later life says so until it is welcome") {
  LoneSparrow alone({}, PeerId{2}, LoneSparrow::make_world(), core::Incarnation{1});
  REQUIRE(alone.peer.sent<Hello>().size() == 1);
  CHECK(alone.peer.sent<Hello>()[0].second.life == 1);
  alone.fire_until([&] { return alone.peer.sent<Hello>().size() == 3; });
  alone.peer.deliver(alone.world.source, Welcome{});
  for (int i = 0; i < 100; ++i) REQUIRE(alone.peer.fire_next());
  CHECK(alone.peer.sent<Hello>().size() == 3);
}

TEST_CASE("a source that begins a later life says that the run has failed, and ends it") {
  LoneSparrow source({}, PeerId{0}, LoneSparrow::make_world(), core::Incarnation{1});
  CHECK(source.noted<agents::RunFailed>() == 1);
  CHECK(source.peer.sent<Over>().size() == 3);
  for (const std::uint32_t each : {1U, 2U, 3U}) source.peer.deliver(PeerId{each}, OverToo{});
  CHECK(source.peer.finished());
}

TEST_CASE("a successor that comes back is told to let go, by a later order than all before") {
  Chained source;
  source.leaves(source.master_of(source.job()));
  const PeerId successor = source.given(0).at(0);
  source.leaves(successor);
  source.peer.deliver_to<overlay::FailureDetector>(successor,
                                                   overlay::Pong{PeerId{0}, successor, 0});
  const auto disowned = source.peer.sent<Disown>();
  REQUIRE(disowned.size() == 1);
  for (const auto& [to, adopt] : source.peer.sent<Adopt>())
    CHECK(adopt.order < disowned[0].second.order);
}

TEST_CASE("contents of a message are checked before they are used") {
  for (const PeerId self : {PeerId{0}, PeerId{2}}) {
    LoneSparrow alone({}, self);
    alone.adopt({{0, 0}});
    alone.peer.forget();
    const std::size_t works = alone.peer.works().size();
    constexpr agents::TaskId no_job{10, 0};
    constexpr agents::TaskId no_portion{0, 2};
    constexpr PeerId nowhere{4};
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (const agents::TaskId task : {no_job, no_portion}) {
      agents::Task work = alone.task();
      work.id = task;
      alone.peer.deliver(other, Probe{task, {1, 0}, other, 0});
      alone.peer.deliver(other, Deposited{task, 1});
      alone.peer.deliver(other, Ready{task, 1});
      alone.peer.deliver(other, Assign{1, work});
      alone.peer.deliver(other, Place{work});
      alone.peer.deliver(other, Completed{task});
      alone.peer.deliver(other, Report{task, other});
      alone.peer.deliver(other, Audit{{task}, {}});
      alone.peer.deliver(other, Unknown{{task}, {}});
      alone.peer.deliver(alone.world.source, Noted{task});
      alone.peer.deliver(alone.world.source, Adopt{{work}});
      alone.peer.deliver(alone.world.source, Disown{{task}});
      alone.peer.deliver(other, Adopted{{task}});
    }
    alone.peer.deliver(other, Probe{{1, 0}, {1, 0}, nowhere, 0});
    alone.peer.deliver(other, Probe{{1, 0}, {0, 0}, other, 0});
    alone.peer.deliver(other, Probe{{1, 0}, {1, -1}, other, 0});
    alone.peer.deliver(other, Probe{{1, 0}, {1, nan}, other, 0});
    alone.peer.deliver(other, Probe{{1, 0}, {1, 0}, other, 0, core::Duration(-1), 1});
    alone.peer.deliver(other, Query{1, {1, 0}, nowhere, 0});
    alone.peer.deliver(other, Load{0, 0, nan, {1, 0}});
    alone.peer.deliver(other, Report{{0, 0}, nowhere});
    agents::Task forged = alone.task();
    forged.duration = -forged.duration;
    alone.peer.deliver(other, Place{forged});
    CHECK(alone.peer.sent_count() == 0);
    CHECK(alone.peer.facts().empty());
    CHECK(alone.peer.works().size() == works);
  }
}

TEST_CASE("a message that only the source may send is believed from no other peer") {
  LoneSparrow alone;
  alone.peer.deliver(other, Adopt{{alone.task()}});
  CHECK(alone.peer.sent<Adopted>().empty());
  alone.adopt();
  const std::size_t probes = alone.peer.sent<Probe>().size();
  alone.peer.deliver(other, Disown{{{0, 0}}});
  alone.peer.deliver(third, Over{});
  CHECK_FALSE(alone.peer.finished());
  alone.fire_until([&] { return alone.peer.sent<Probe>().size() > probes; });
  alone.peer.deliver(alone.world.source, Over{});
  CHECK(alone.peer.finished());
  CHECK(alone.peer.sent<OverToo>().size() == 1);
}

TEST_CASE("options that have no effect, or cannot be, are refused") {
  const agents::Scheduler family = agents::sparrow_family();
  const test::World world = LoneSparrow::make_world();
  const auto refusal = [&](const Options& options) {
    return family.refusal(std::any(options), world);
  };
  CHECK(refusal({}).empty());
  CHECK(refusal({.shuffle_length = 11}).find("view_size") != std::string::npos);
  CHECK(refusal({.sampling = Sampling::batch, .max_hops = 3}).find("late") != std::string::npos);
  CHECK(refusal({.sampling = Sampling::batch, .cancellation = Cancellation::proactive})
            .find("cancellation") != std::string::npos);
  CHECK(refusal({.min_probes = 3}).find("min_probes") != std::string::npos);
  CHECK(refusal({.stays = Stays::first_in_queue}).find("stays") != std::string::npos);
  CHECK(refusal({.probes = 2, .probing = Probing::per_job, .view_size = 3, .shuffle_length = 2})
            .empty());
  CHECK(refusal({.probes = 2, .probing = Probing::per_job, .view_size = 2, .shuffle_length = 2})
            .find("view_size") != std::string::npos);
}

}  // namespace rhizome::sparrow_ledger_test
