// The parts of a Sparrow peer, each without the peer that owns them.
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "agents/client.hpp"
#include "agents/sparrow/keep_alive_link.hpp"
#include "agents/sparrow/ledger.hpp"
#include "agents/sparrow/probe_router.hpp"
#include "agents/sparrow/takeover.hpp"
#include "test/support/scene.hpp"
#include "test/support/small_world.hpp"

namespace rhizome::sparrow_parts_test {

using namespace agents::sparrow;
using namespace std::chrono_literals;
using agents::TaskId;
using core::PeerId;

namespace {

constexpr PeerId source{0};
constexpr PeerId me{2};
constexpr PeerId other{1};
constexpr PeerId third{3};
constexpr TaskId first{0, 0};
constexpr TaskId second{0, 1};

agents::Task task(TaskId id, std::uint32_t cpus = 1) {
  return {.id = id, .duration = 100ms, .cpus = cpus};
}

Options early() {
  Options options;
  options.sampling = Sampling::per_task;
  return options;
}

// Wired as in the peer; each test speaks to one of them.
struct Parts {
  test::World world = test::small_world({.jobs = 2, .portions = 2});
  Options options;
  test::Scene<Messages, Env> scene{me};
  overlay::FailureDetector detector{{}};
  Walks walks{options, 50ms};
  NextHopSelector next_hop_selector{options, world, {nullptr, nullptr, detector}};
  Worker worker;
  ResultReporter reporter{options, world};
  Master master{me, options, {worker, next_hop_selector, reporter, walks, detector}};
  Takeover successor{master};
  GroupService post{me, options, agents::Capacity{}, worker};
  ProbeRouter probe_router{options, {worker, post, next_hop_selector, walks}};

  explicit Parts(const Options& chosen = {}, std::uint32_t slots = 1)
      : options(chosen), worker(options, {.slots = slots}, 1, detector) {}
  template <class M>
  [[nodiscard]] std::size_t count() const {
    return scene.sent<M>().size();
  }
};

}  // namespace

TEST_CASE("the open tasks of a job are those added and not closed") {
  OpenTasks open;
  CHECK(open.empty());
  open.add(task({0, 3}));
  open.add(task({0, 1}));
  open.add(task({0, 3}));
  CHECK_FALSE(open.close(2));
  CHECK_FALSE(open.close(99));
  CHECK(open.close(1));
  CHECK_FALSE(open.close(1));
  std::vector<TaskId> left;
  open.for_each([&left](const agents::Task& task) { left.push_back(task.id); });
  CHECK(left == std::vector<TaskId>{{0, 3}});
  CHECK(open.at(3).id == TaskId{0, 3});
  CHECK(open.close(3));
  CHECK(open.empty());
  CHECK_FALSE(open.close(3));
}

TEST_CASE("a placeholder that is told twice counts once, also if its question came first") {
  Options options;
  overlay::FailureDetector detector{{}};
  Placeholders placeholders(me, options, detector);
  const Placeholders::Outstanding outstanding{first, {1, 0}};
  CHECK(placeholders.deposited({other, 7}, outstanding));
  CHECK_FALSE(placeholders.deposited({other, 7}, outstanding));
  placeholders.answered({third, 8}, {}, {});
  CHECK(placeholders.deposited({third, 8}, outstanding));
  CHECK_FALSE(placeholders.deposited({third, 8}, outstanding));
  CHECK(placeholders.standing(placeholders.group(first)) == 1);
  CHECK(placeholders.fits(placeholders.group(first), {1, 0}));
  CHECK_FALSE(placeholders.fits(placeholders.group(first), {2, 0}));
}

TEST_CASE("placeholders go with their executor, with their answer or when they are not known") {
  Options options;
  overlay::FailureDetector detector{{}};
  Placeholders placeholders(me, options, detector);
  for (std::uint64_t number = 0; number < 4; ++number)
    placeholders.deposited({number < 2 ? other : third, number}, {first, {1, 0}});
  placeholders.bury(other);
  CHECK(placeholders.find({other, 0}) == nullptr);
  CHECK(placeholders.all().size() == 2);
  placeholders.answered({third, 2}, first, core::Time{1s});
  placeholders.forget({third, 3});
  CHECK(placeholders.standing(placeholders.group(first)) == 0);
  REQUIRE(placeholders.answer({third, 2}) != nullptr);
  placeholders.forget_answers_before(core::Time{1s});
  CHECK(placeholders.answer({third, 2}) != nullptr);
  placeholders.forget_answers_before(core::Time{2s});
  CHECK(placeholders.answer({third, 2}) == nullptr);
}

TEST_CASE("a result is told again when an answer is overdue, until it is noted") {
  Parts parts;
  const auto pass = [&parts](core::Duration duration) {
    parts.scene.pass(duration);
    parts.reporter.on(parts.scene.env(), ReportDue{});
    return parts.count<Report>();
  };
  parts.reporter.report(parts.scene.env(), first, other);
  CHECK(parts.count<Report>() == 1);
  CHECK(pass(parts.options.probe_timeout / 2) == 1);
  CHECK(pass(parts.options.probe_timeout) == 2);
  CHECK(parts.scene.sent<Report>().back().second.executor == other);
  CHECK(pass(parts.options.probe_timeout) == 2);  // twice as long
  CHECK(pass(parts.options.probe_timeout) == 3);
  CHECK(pass(3 * parts.options.probe_timeout) == 3);  // and once more
  CHECK(pass(parts.options.probe_timeout) == 4);
  parts.scene.pass(9 * parts.options.probe_timeout);
  parts.reporter.on(parts.scene.env(), source, Noted{first});  // at a time that is unknown
  CHECK(pass(9 * parts.options.probe_timeout) == 4);
  parts.reporter.report(parts.scene.env(), second, other);
  CHECK(pass(parts.options.probe_timeout) == 6);
}

TEST_CASE("how long a report waits for its answer follows how long answers took") {
  Parts parts;
  const core::Duration slow = 5 * parts.options.probe_timeout;
  parts.reporter.report(parts.scene.env(), first, other);
  parts.scene.pass(slow);
  parts.reporter.on(parts.scene.env(), source, Noted{first});  // said once
  parts.reporter.report(parts.scene.env(), second, other);
  parts.scene.pass(slow);
  parts.reporter.on(parts.scene.env(), ReportDue{});
  CHECK(parts.count<Report>() == 2);
  parts.scene.pass(2 * slow);
  parts.reporter.on(parts.scene.env(), ReportDue{});
  CHECK(parts.count<Report>() == 3);
}

TEST_CASE("a first life says nothing of itself, a later one until it is welcome") {
  Options options;
  const auto hellos = [&options](std::uint32_t life, bool welcome) {
    test::Scene<Messages, Env> scene(me, core::Incarnation{life});
    KeepAliveLink keep_alive_link(options, source);
    keep_alive_link.start(scene.env());
    if (welcome) keep_alive_link.on(scene.env(), source, Welcome{});
    scene.pass(options.probe_timeout);
    keep_alive_link.on(scene.env(), HelloDue{});
    return scene.sent<Hello>().size();
  };
  CHECK(hellos(0, false) == 0);
  CHECK(hellos(1, true) == 1);
  CHECK(hellos(1, false) == 2);
}

TEST_CASE("a peer that hears nothing of the source for long asks it, and in the end gives up") {
  Options options;
  test::Scene<Messages, Env> scene(me);
  KeepAliveLink keep_alive_link(options, source);
  keep_alive_link.start(scene.env());
  scene.pass(options.give_up - 1ms);
  keep_alive_link.on(scene.env(), HelloDue{});
  CHECK(scene.sent<Hello>().size() == 1);
  keep_alive_link.heard(scene.now());
  scene.pass(options.give_up - 1ms);
  keep_alive_link.on(scene.env(), HelloDue{});
  CHECK_FALSE(keep_alive_link.gave_up());
  scene.pass(1ms);
  keep_alive_link.on(scene.env(), HelloDue{});
  CHECK(keep_alive_link.gave_up());
}

TEST_CASE("a sampler gives a task to the best of the peers that are large enough") {
  Parts parts(early());
  Sampler sampler(parts.walks, parts.detector);
  sampler.ask(parts.scene.env(), {task(first, 2)}, {source, other, third},
              parts.options.probe_timeout);
  const std::uint32_t number = parts.scene.sent<Query>().at(0).second.sampling;
  CHECK(sampler.heard(parts.scene.env(), source, {number, 0, 1, {2, 0}}).empty());
  CHECK(sampler.heard(parts.scene.env(), other, {number, 5, 2, {2, 0}}).empty());
  const auto choice = sampler.heard(parts.scene.env(), third, {number, 0, 3, {1, 0}});
  REQUIRE(choice.size() == 1);
  CHECK(choice[0].peer == other);
  CHECK(choice[0].life == 5);
  CHECK(sampler.timed_out(parts.scene.env(), {number}).empty());  // it is over
}

TEST_CASE("a sampler whose time is up chooses among the peers that have answered") {
  Parts parts(early());
  Sampler sampler(parts.walks, parts.detector);
  sampler.ask(parts.scene.env(), {task(first), task(second)}, {source, other, third},
              parts.options.probe_timeout);
  const std::uint32_t number = parts.scene.sent<Query>().at(0).second.sampling;
  static_cast<void>(sampler.heard(parts.scene.env(), third, {number, 0, -4, {1, 0}}));
  const auto choice = sampler.timed_out(parts.scene.env(), {number});
  REQUIRE(choice.size() == 2);
  CHECK(choice[0].peer == third);
  CHECK(choice[1].peer == third);
}

TEST_CASE("a worker with one slot runs one task at a time, and each once") {
  Parts parts;
  parts.worker.place(parts.scene.env(), other, task(first));
  parts.worker.place(parts.scene.env(), other, task(first));
  parts.worker.place(parts.scene.env(), other, task(second));
  CHECK_FALSE(parts.worker.has_room({1, 0}));
  CHECK(parts.worker.advert().utility == -1);
  parts.worker.on(parts.scene.env(), core::WorkDone{.id = {0, 0}, .took = 100ms});
  REQUIRE(parts.count<Completed>() == 1);
  CHECK(parts.scene.sent<Completed>()[0].second.task == first);
  parts.worker.on(parts.scene.env(), other, Audit{{first, second, {1, 0}}, {}});
  CHECK(parts.count<Completed>() == 2);
  REQUIRE(parts.count<Unknown>() == 1);
  CHECK(parts.scene.sent<Unknown>()[0].second.tasks == std::vector<TaskId>{{1, 0}});
}

TEST_CASE("a worker says of which life a placeholder is") {
  Options options;
  test::Scene<Messages, Env> scene(me, core::Incarnation{3});
  overlay::FailureDetector detector{{}};
  Worker worker(options, {.slots = 1}, 1, detector);
  worker.deposit(scene.env(), Probe{first, {1, 0}, other, {}});
  worker.deposit(scene.env(), Probe{second, {1, 0}, other, {}});
  const auto deposited = scene.sent<Deposited>();
  REQUIRE(deposited.size() == 2);
  CHECK(deposited[0].second.placeholder != deposited[1].second.placeholder);
  for (const auto& [to, message] : deposited) CHECK(life_of(message.placeholder) == 3);
  CHECK(worker.load(scene.env(), 1).life == 3);
}

// The worker's question came twice, and the second one was answered with another task.
TEST_CASE("a worker says at once that it does not know a task for a placeholder that is gone") {
  Parts parts;
  parts.worker.on(parts.scene.env(), other, Assign{99, task(first)});
  REQUIRE(parts.count<Unknown>() == 1);
  CHECK(parts.scene.sent<Unknown>()[0].second.tasks == std::vector<TaskId>{first});
}

TEST_CASE("a master submits each task once, whichever peer gives it") {
  Parts parts;
  const std::vector<agents::Task> tasks{task(first), task(second)};
  parts.successor.on(parts.scene.env(), source, Adopt{tasks});
  const std::size_t probes = parts.count<Probe>();
  CHECK(probes == 2 * parts.options.probes);
  parts.successor.on(parts.scene.env(), source, Adopt{tasks});
  CHECK(parts.count<Adopted>() == 2);
  CHECK(parts.count<Probe>() == probes);
  CHECK(parts.scene.raised<agents::Inherited>() == 1);
  parts.successor.on(parts.scene.env(), source, Disown{{first}});
  CHECK_FALSE(parts.master.knows(first));
  CHECK(parts.master.knows(second));
}

// A master is taken for dead, found alive, and successor of another at the same time: in any order
// of arrival it follows the source's latest order.
TEST_CASE("a former order of the source that comes after a later one is not obeyed") {
  Parts parts;
  Env& env = parts.scene.env();
  parts.successor.on(env, source, Adopt{{task(first)}, 2});
  parts.successor.on(env, source, Disown{{first}, 1});
  CHECK(parts.master.knows(first));
  parts.successor.on(env, source, Disown{{first}, 4});
  CHECK_FALSE(parts.master.knows(first));
  parts.successor.on(env, source, Adopt{{task(first)}, 3});
  CHECK_FALSE(parts.master.knows(first));
  CHECK(parts.count<Adopted>() == 1);
  parts.successor.on(env, source, Adopt{{task(first), task(second)}, 5});
  CHECK(parts.master.knows(first));
  CHECK(parts.count<Adopted>() == 2);
}

TEST_CASE("a successor does not repeat its completed tasks, however late it is told") {
  Parts parts;
  Env& env = parts.scene.env();
  parts.successor.on(env, source, Adopt{{task(first)}, 1});
  parts.master.on(env, other, Deposited{first, placeholder(0, 1)});
  parts.master.on(env, other, Ready{first, placeholder(0, 1)});
  parts.master.on(env, other, Completed{first});
  CHECK_FALSE(parts.master.knows(first));
  const std::size_t probes = parts.count<Probe>();
  parts.successor.on(env, source, Adopt{{task(first)}, 2});
  CHECK(parts.count<Adopted>() == 2);
  CHECK_FALSE(parts.master.knows(first));
  CHECK(parts.count<Probe>() == probes);
}

TEST_CASE("a successor at rest confirms the tasks that it was given, and does not run them") {
  Parts parts;
  parts.successor.rest();
  parts.successor.on(parts.scene.env(), source, Adopt{{task(first)}});
  CHECK(parts.count<Adopted>() == 1);
  CHECK_FALSE(parts.master.knows(first));
}

TEST_CASE("a probe router admits probes that fit the worker, and sends the rest on or back") {
  Parts parts;
  parts.probe_router.on(parts.scene.env(), other, Place{task(first, 2)});
  REQUIRE(parts.count<Unknown>() == 1);
  CHECK(parts.scene.sent<Unknown>()[0].second.tasks == std::vector<TaskId>{first});
  parts.probe_router.on(parts.scene.env(), other, Query{1, {2, 0}, other, parts.walks.first(0)});
  CHECK(parts.count<Load>() == 0);
  REQUIRE(parts.count<Query>() == 1);
  CHECK(parts.walks.hops(parts.scene.sent<Query>()[0].second.step) == 1);
  parts.probe_router.on(parts.scene.env(), other, Query{2, {1, 0}, other, parts.walks.first(0)});
  CHECK(parts.count<Load>() == 1);
}

// The way back is closed to walks that follow views.
TEST_CASE("a walk that has come far and found no peer large enough goes on to any") {
  const auto back_after = [](std::uint64_t hops) {
    Parts parts;
    const Step step{parts.walks.first(0).value + hops};
    for (std::uint32_t i = 0; i < 40; ++i)
      parts.probe_router.on(parts.scene.env(), other, Query{i, {2, 0}, third, step});
    const auto sent = parts.scene.sent<Query>();
    CHECK(sent.size() == 40);
    return std::count_if(sent.begin(), sent.end(),
                         [](const auto& each) { return each.first == other; });
  };
  const std::uint64_t half = Options{}.hop_limit / 2;
  CHECK(back_after(half - 1) == 0);
  CHECK(back_after(half) > 0);
}

TEST_CASE("the books of the source take each result once, and give open tasks to a successor") {
  test::World world = test::small_world({.jobs = 1, .portions = 2});
  Options options;
  overlay::HashRing ring(4);
  overlay::FailureDetector detector{{}};
  test::Scene<Messages, Env> scene(source);
  Ledger ledger(options, world, ring, detector);
  ledger.start(scene.env());
  ledger.on(scene.env(), agents::Announced{other, 0, world.workload.jobs[0].portions});
  ledger.on(scene.env(), other, Report{first, third});
  ledger.on(scene.env(), other, Report{first, third});
  CHECK(scene.sent<Noted>().size() == 2);
  CHECK(scene.raised<agents::Finished>() == 2);  // the client tells them apart
  ledger.on(scene.env(), other, Hello{0});       // no news
  CHECK(scene.sent<Adopt>().empty());
  ledger.on(scene.env(), other, Hello{1});
  REQUIRE(scene.sent<Adopt>().size() == 1);
  REQUIRE(scene.sent<Adopt>()[0].second.tasks.size() == 1);
  CHECK(scene.sent<Adopt>()[0].second.tasks[0].id == second);
}

}  // namespace rhizome::sparrow_parts_test
