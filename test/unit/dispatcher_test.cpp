// The parts of dispatchers, each by itself: policies, reports of servers, and the books of tasks
// that were handed out.
#include <doctest/doctest.h>

#include <optional>
#include <set>
#include <vector>

#include "agents/dispatcher/below.hpp"
#include "agents/dispatcher/dispatch_queue.hpp"
#include "agents/dispatcher/dispatcher.hpp"
#include "agents/dispatcher/policy.hpp"
#include "agents/dispatcher/polling.hpp"
#include "agents/dispatcher/source_lease.hpp"
#include "agents/dispatcher/station.hpp"
#include "test/support/scene.hpp"
#include "test/support/small_world.hpp"

namespace rhizome::dispatcher_test {

using agents::Over;
using agents::OverDue;
using agents::OverToo;
using agents::Task;
using agents::TaskId;
using core::Duration;
using core::PeerId;
using std::chrono::seconds;
using namespace agents::dispatching;  // NOLINT(google-build-using-namespace)

namespace {

using Stage = test::Scene<Messages, Env>;

std::vector<PeerId> peers(std::uint32_t first, std::uint32_t count) {
  std::vector<PeerId> list;
  for (std::uint32_t i = first; i < first + count; ++i) list.push_back(PeerId{i});
  return list;
}

Options with(Policy policy) {
  Options options;
  options.policy = policy;
  options.ties = Ties::lowest;
  options.recovery = Recovery::always;
  return options;
}

constexpr RoundTimes times{.repeat = seconds(1), .give_up = seconds(3)};

Standing standing(std::uint64_t round, int work, std::uint64_t tasks) {
  return {.round = round, .work = seconds(work), .tasks = tasks, .arrivals = 1};
}
std::uint64_t round_of(const Stage& stage) { return stage.sent<Query>().back().second.round; }

std::optional<std::size_t> chosen(Stage& stage, Selector& selector) {
  const std::optional<ServerChoice> choice = selector.choose(stage.env());
  return choice ? std::optional(choice->server) : std::nullopt;
}

// A threshold dispatcher of five servers, all of them busy.
struct Busy {
  explicit Busy(const Options& of) : options(of), below(options, fleet, {}) {
    below.start(stage.env());
    for (std::size_t i = 0; i < fleet.size(); ++i) REQUIRE(chosen(stage, below) == i);
  }
  // Servers have 1 to 5 s of work, the first most.
  void answer() {
    for (std::size_t i = 0; i < fleet.size(); ++i)
      below.on(stage.env(), i, standing(round_of(stage), 5 - static_cast<int>(i), 1));
  }
  Stage stage{PeerId{0}};
  Options options;
  Fleet fleet{peers(1, 5)};
  Below below;
};

Options threshold() {
  Options options = with(Policy::threshold);
  options.sample = 2;
  return options;
}

Task task(std::uint32_t job, std::uint32_t portion) {
  return {.id = {job, portion}, .duration = seconds(1)};
}

}  // namespace

TEST_CASE("round robin goes through the living servers in turn") {
  Stage stage(PeerId{0});
  Fleet fleet(peers(1, 3));
  EachInTurn turn(fleet, 1);
  for (const std::size_t server : {1U, 2U, 0U, 1U}) CHECK(chosen(stage, turn) == server);
  fleet.hold_for(2, false);
  for (const std::size_t server : {0U, 1U, 0U}) CHECK(chosen(stage, turn) == server);
  fleet.hold_for(0, false);
  fleet.hold_for(1, false);
  CHECK_FALSE(chosen(stage, turn));
}

TEST_CASE("least work left goes by work, and the shortest queue by tasks") {
  for (const Policy policy : {Policy::lwl, Policy::jsq}) {
    Stage stage(PeerId{0});
    Fleet fleet(peers(1, 3));
    const Options options = with(policy);
    Polling polling(options, fleet, {});
    CHECK_FALSE(chosen(stage, polling));
    REQUIRE(stage.sent<Query>().size() == 3);
    polling.on(stage.env(), 0, standing(round_of(stage), 5, 1));
    polling.on(stage.env(), 1, standing(round_of(stage), 1, 9));
    CHECK_FALSE(chosen(stage, polling));
    polling.on(stage.env(), 2, standing(round_of(stage), 3, 2));
    CHECK(chosen(stage, polling) == (policy == Policy::lwl ? 1U : 0U));
  }
}

TEST_CASE("only as many servers are asked as are drawn") {
  Stage stage(PeerId{0});
  Fleet fleet(peers(1, 5));
  const Options options = with(Policy::lwl_d);
  Polling polling(options, fleet, {});
  CHECK_FALSE(chosen(stage, polling));
  CHECK(stage.sent<Query>().size() == 2);
}

TEST_CASE(
    "a round ends when the last missing server is dead, and answers to a former one do not count") {
  Stage stage(PeerId{0});
  Fleet fleet(peers(1, 2));
  const Options options = with(Policy::lwl);
  Polling polling(options, fleet, times);
  CHECK_FALSE(chosen(stage, polling));
  const std::uint64_t first = round_of(stage);
  polling.on(stage.env(), 0, standing(first, 5, 1));
  polling.lost(stage.env(), 1);
  CHECK(chosen(stage, polling) == 0U);
  CHECK_FALSE(chosen(stage, polling));
  polling.on(stage.env(), 0, standing(first, 1, 1));
  polling.on(stage.env(), 1, standing(first, 2, 1));
  CHECK_FALSE(chosen(stage, polling));
  polling.on(stage.env(), 0, standing(round_of(stage), 2, 1));
  polling.on(stage.env(), 1, standing(round_of(stage), 1, 1));
  CHECK(chosen(stage, polling) == 1U);
}

TEST_CASE("a server that does not answer is asked a few times, then taken for dead") {
  Stage stage(PeerId{0});
  Fleet fleet(peers(1, 2));
  const Options options = with(Policy::lwl);
  Polling polling(options, fleet, times);
  CHECK_FALSE(chosen(stage, polling));
  polling.on(stage.env(), 0, standing(round_of(stage), 5, 1));
  for (int again = 0; again < 3; ++again) {
    CHECK(fleet.alive(1));
    stage.pass(seconds(1));
    polling.on(stage.env(), RoundDue{round_of(stage)});
  }
  CHECK(stage.sent<Query>().size() == 4);
  CHECK(fleet.alive(0));
  CHECK_FALSE(fleet.alive(1));
  CHECK(chosen(stage, polling) == 0U);
}

TEST_CASE("an idle server is free for one task, and every server is taken once none is") {
  Stage stage(PeerId{0});
  Fleet fleet(peers(1, 3));
  const Options options = with(Policy::jiq);
  Below below(options, fleet, {});
  below.start(stage.env());
  for (const std::size_t server : {0U, 1U, 2U}) CHECK(chosen(stage, below) == server);
  below.on(stage.env(), 1, Free{2});
  CHECK(chosen(stage, below) == 1U);
  CHECK(chosen(stage, below));
  CHECK(stage.sent<Query>().empty());
}

TEST_CASE("while tasks come slowly a new threshold is the least of a sample, and all are told") {
  Busy busy(threshold());
  CHECK_FALSE(chosen(busy.stage, busy.below));
  CHECK(busy.stage.sent<Query>().size() == 2);
  busy.answer();
  std::set<std::int64_t> limits;
  for (const auto& [to, message] : busy.stage.sent<Threshold>()) limits.insert(message.limit);
  REQUIRE(busy.stage.sent<Threshold>().size() == 5);
  REQUIRE(limits.size() == 1);
  std::int64_t least = Duration::max().count();
  for (const auto& [to, query] : busy.stage.sent<Query>())
    least = std::min(least, Duration(seconds(6 - static_cast<int>(to.value))).count());
  CHECK(*limits.begin() == least);
  CHECK(chosen(busy.stage, busy.below));
  CHECK_FALSE(chosen(busy.stage, busy.below));
}

TEST_CASE("while tasks come fast a new threshold is the median of all servers") {
  Busy busy(threshold());
  busy.below.arrived(busy.stage.env(), 100);
  CHECK_FALSE(chosen(busy.stage, busy.below));
  CHECK(busy.stage.sent<Query>().size() == 5);
  busy.answer();
  REQUIRE(busy.stage.sent<Threshold>().size() == 5);
  CHECK(busy.stage.sent<Threshold>().front().second.limit == Duration(seconds(3)).count());
  for (const std::size_t server : {2U, 3U, 4U}) CHECK(chosen(busy.stage, busy.below) == server);
  CHECK_FALSE(chosen(busy.stage, busy.below));
}

TEST_CASE("the threshold is renewed periodically, by a sample however fast tasks come") {
  Busy busy(threshold());
  busy.below.arrived(busy.stage.env(), 100);
  busy.below.on(busy.stage.env(), RenewDue{});
  CHECK(busy.stage.sent<Query>().size() == 2);
}

TEST_CASE("a server reports once that it is below a threshold, and an idle one to one dispatcher") {
  Stage stage(PeerId{3});
  const agents::Server server(agents::Capacity{});
  const Options by_threshold = threshold();
  StateReporter reporter(by_threshold, peers(0, 1), server);
  reporter.on(stage.env(), PeerId{0}, Threshold{0, false});
  reporter.look(stage.env());
  reporter.look(stage.env());
  CHECK(stage.sent<Free>().size() == 1);

  Stage other(PeerId{3});
  const Options idle = with(Policy::jiq);
  StateReporter two(idle, peers(0, 2), server);
  for (std::size_t round = 1; round <= 20; ++round) {
    const std::size_t before = other.sent<Free>().size();
    two.taken(other.env(), PeerId{0});
    CHECK(other.sent<Free>().size() <= before + 1);
  }
  CHECK_FALSE(other.sent<Free>().empty());
}

TEST_CASE("a task that its server misses, or that a dead server had, goes to another") {
  const auto world = test::small_world();
  const Options options = with(Policy::round_robin);
  Stage stage(PeerId{0});
  DispatchQueue desk(PeerId{0}, options, world);
  desk.submit(stage.env(), {task(0, 0)});
  REQUIRE(stage.sent<Assign>().size() == 1);
  const Assign first = stage.sent<Assign>().front().second;
  desk.on(stage.env(), PeerId{1}, Missing{Level::assign, 0, {{first.number, first.task.id}}});
  REQUIRE(stage.sent<Assign>().size() == 2);
  CHECK(stage.sent<Assign>().back().first == PeerId{2});
  for (int again = 0; again < 6; ++again) {
    stage.pass(options.keep_alive);
    desk.on(stage.env(), AskDue{Level::assign});
  }
  REQUIRE(stage.sent<Assign>().size() >= 3);
  CHECK(stage.sent<Assign>()[2].first == PeerId{3});
}

TEST_CASE("a result counts once, however often it comes") {
  const auto world = test::small_world();
  const Options options = with(Policy::round_robin);
  Stage stage(PeerId{0});
  Fleet fleet(peers(1, 3));
  AssignedTasks assigned_tasks(Level::assign, options, world, fleet);
  assigned_tasks.give(stage.env(), 0, task(0, 0));
  const Done done{Level::assign, 0, 1, PeerId{1}, agents::product_of(task(0, 0))};
  CHECK(assigned_tasks.done(stage.env(), PeerId{1}, done));
  CHECK_FALSE(assigned_tasks.done(stage.env(), PeerId{1}, done));
  CHECK(stage.sent<Noted>().size() == 2);
}

TEST_CASE("a task that a server has reported as missing is not accepted when it comes late") {
  const auto world = test::small_world();
  const Options options = with(Policy::round_robin);
  Stage stage(PeerId{1});
  Holding holding(Level::assign, options, world);
  holding.on(stage.env(), PeerId{0}, Ask{Level::assign, 0, {{1, {0, 0}}}});
  REQUIRE(stage.sent<Missing>().size() == 1);
  CHECK_FALSE(holding.accept(stage.env(), PeerId{0}, {Level::assign, 0, 1, 0, task(0, 0)}));
  CHECK(holding.accept(stage.env(), PeerId{0}, {Level::assign, 0, 2, 0, task(0, 1)}));
}

// A peer that joins begins its first life as number 1.
TEST_CASE(
    "a later life refuses tasks that may have gone to an earlier one, a late first life none") {
  for (const bool joins : {true, false}) {
    CAPTURE(joins);
    auto world = test::small_world();
    if (joins) world.late.insert(PeerId{1});
    const Options options = with(Policy::round_robin);
    Stage stage(PeerId{1}, core::Incarnation{1});
    Holding holding(Level::assign, options, world);
    CHECK(holding.accept(stage.env(), PeerId{0}, {Level::assign, 0, 2, 0, task(0, 1)}));
    CHECK(holding.accept(stage.env(), PeerId{0}, {Level::assign, 0, 1, 0, task(0, 0)}) == joins);
  }
}

TEST_CASE("a source does not answer itself") {
  const auto world = test::small_world();
  const Options options = with(Policy::round_robin);
  Stage stage(PeerId{0});
  SourceLease source(PeerId{0}, options, world);
  source.answer(stage.env(), PeerId{0});
  CHECK(stage.sent<Welcome>().empty());
  source.answer(stage.env(), PeerId{1});
  CHECK(stage.sent<Welcome>().size() == 1);
}

TEST_CASE("a result is repeated until it is noted, and goes to the source if its giver is silent") {
  const auto world = test::small_world();
  const Options options = with(Policy::round_robin);
  Stage stage(PeerId{1});
  Holding holding(Level::assign, options, world);
  REQUIRE(holding.accept(stage.env(), PeerId{2}, {Level::assign, 0, 1, 0, task(0, 0)}));
  holding.done(stage.env(), agents::product_of(task(0, 0)), PeerId{1});
  for (int again = 0; again < 5; ++again) holding.on(stage.env(), ResultDue{Level::assign});
  REQUIRE(stage.sent<Done>().size() == 6);
  CHECK(stage.sent<Done>()[4].first == PeerId{2});
  CHECK(stage.sent<Done>()[5].first == world.source);
  holding.on(stage.env(), PeerId{0}, Noted{Level::assign, {0, 0}});
  holding.on(stage.env(), ResultDue{Level::assign});
  CHECK(stage.sent<Done>().size() == 6);
}

TEST_CASE("jobs are dealt among the living dispatchers") {
  auto world = test::small_world({.peers = 5});
  world.late.insert(PeerId{2});
  Options options = with(Policy::round_robin);
  options.dispatchers = 3;
  Stage stage(PeerId{0});
  Dealer dealer(PeerId{0}, options, world);
  for (std::uint32_t job = 0; job < 3; ++job) dealer.submit(stage.env(), {task(job, 0)});
  std::vector<PeerId> takers;
  for (const auto& [to, message] : stage.sent<Assign>()) takers.push_back(to);
  CHECK(takers == std::vector{PeerId{0}, PeerId{1}, PeerId{0}});
}

TEST_CASE("a source repeats the end of the run, and others give a silent source up") {
  const auto world = test::small_world();
  const Options options = with(Policy::round_robin);
  Stage stage(PeerId{0});
  SourceLease source(PeerId{0}, options, world);
  source.start(stage.env());
  source.end(stage.env());
  source.on(stage.env(), PeerId{1}, OverToo{});
  source.on(stage.env(), OverDue{});
  CHECK(stage.sent<Over>().size() == 5);

  Stage other(PeerId{1});
  SourceLease source_lease(PeerId{1}, options, world);
  source_lease.start(other.env());
  other.pass(options.give_up - seconds(1));
  source_lease.on(other.env(), HelloDue{});
  CHECK_FALSE(source_lease.gave_up());
  other.pass(seconds(1));
  source_lease.on(other.env(), HelloDue{});
  CHECK(source_lease.gave_up());
}

}  // namespace rhizome::dispatcher_test
