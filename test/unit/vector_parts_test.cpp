// The parts of a peer under vector scheduling, each without the peer that owns them.
#include <doctest/doctest.h>

#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "agents/vector/carrier.hpp"
#include "agents/vector/course.hpp"
#include "agents/vector/local_tasks.hpp"
#include "agents/vector/neighbour_table.hpp"
#include "agents/vector/options.hpp"
#include "agents/vector/planner.hpp"
#include "agents/vector/source_books.hpp"
#include "agents/vector/source_lease.hpp"
#include "test/support/scene.hpp"
#include "test/support/small_world.hpp"

namespace rhizome::vector_parts_test {

using namespace agents::vectors;
using namespace std::chrono_literals;
using agents::Task;
using agents::TaskId;
using core::Duration, core::PeerId;
using Scene = test::Scene<Messages, Env>;

namespace {

constexpr PeerId source{0};
constexpr PeerId me{1};
constexpr PeerId other{2};

Task task(std::uint32_t portion) { return {.id = {0, portion}, .duration = 1s}; }
core::Time at(Duration since) { return core::Time{} + since; }

std::string fault(const std::string& text) { return fault_of_course(text); }

PeerMetrics vitals(std::uint32_t queue) { return {.queue = queue, .benchmark = 1s, .history = 1s}; }
NeighbourState neighbour(PeerId peer, std::uint32_t queue) {
  return {.peer = peer, .vitals = vitals(queue)};
}

Planner::Moves moves(const Options& options, const PeerMetrics& self,
                     const std::vector<NeighbourState>& seen, core::Time now = {}) {
  core::Rng rng = core::Rng::derive({1}, "planner");
  return Planner(options).moves(self, seen, now, rng);
}
using Moves = Planner::Moves;

}  // namespace

TEST_CASE("a course has the weights that hold at a time") {
  const Course course("queue -1 benchmark -0.3; from 300s queue -0.7 history -0.5");
  const auto queue = find_metric("queue").value();
  const auto history = find_metric("history").value();
  CHECK(course.at(at(0s))[queue] == -1);
  CHECK(course.at(at(299s))[history] == 0);
  CHECK(course.at(at(300s))[queue] == -0.7);
  CHECK(course.at(at(1000s))[history] == -0.5);
  CHECK(Course("").at(at(5s)) == Course::Weights(metrics().size(), 0));
}

TEST_CASE("a wrong course is refused with the error") {
  CHECK(fault("queue -1; from 5s") == "");
  CHECK(fault("tea 1").starts_with("names \"tea\", which is no metric: there are \"queue\", "));
  CHECK(fault("queue 1 queue 2") == "names \"queue\" twice");
  CHECK(fault("queue") == "gives \"queue\" no weight");
  CHECK(fault("queue one") == "has \"one\" where the weight of \"queue\" should stand");
  CHECK(fault("queue nan").find("not between") != std::string::npos);
  CHECK(fault("queue 1001").find("not between -1000 and 1000") != std::string::npos);
  CHECK(fault("queue 1; 5s queue 2") == "has no \"from\" and time after a semicolon");
  CHECK(fault("queue 1; from 5 queue 2").find("such as 300s") != std::string::npos);
  CHECK(fault("queue 1; from -5s queue 2").find("such as 300s") != std::string::npos);
  CHECK(fault("queue 1; from 1e300s queue 2").find("such as 300s") != std::string::npos);
  CHECK(fault("queue 1; from 5s; from 5s") == "has times that do not ascend");
  CHECK_THROWS_AS(Course("tea 1"), std::invalid_argument);
}

TEST_CASE("options that cannot work together are refused") {
  const test::World world = test::small_world();
  const auto refused = [&](auto change) {
    Options options;
    change(options);
    return !refusal(options, world).empty();
  };
  CHECK(!refused([](Options&) {}));
  CHECK(refused([](Options& o) { o.flow = "tea 1"; }));
  CHECK(refused([](Options& o) { o.stasis = "queue"; }));
  CHECK(refused([](Options& o) { o.split = Split::finish_times, o.flow = "queue -1"; }));
  CHECK(refused([](Options& o) { o.estimate = FinishEstimate::history; }));
  CHECK(refused([](Options& o) { o.margin = 1; }));
  CHECK(refused([](Options& o) { o.lease = o.report; }));
  CHECK(!refused([](Options& o) { o.lease = o.report, o.recovery = false; }));
  CHECK(refused([](Options& o) { o.spread = RedistributionTrigger::never, o.spread_above = 5; }));
  CHECK(refused([](Options& o) { o.requests = Requests::never, o.request_hops = 1; }));
}

TEST_CASE("a queue is divided along the vector that holds at the time") {
  Options options;
  options.flow = "queue -1; from 100s benchmark -1";
  NeighbourState fast = neighbour(other, 8);
  fast.vitals.benchmark = 100ms;
  CHECK(moves(options, vitals(4), {neighbour(source, 0)}) == Moves{{source, 4}});
  CHECK(moves(options, vitals(4), {fast}).empty());
  CHECK(moves(options, vitals(4), {fast}, at(100s)) == Moves{{other, 4}});
}

TEST_CASE("stasis keeps tasks where scores are close") {
  Options options;
  options.flow = "queue -1";
  const std::vector<NeighbourState> equal{neighbour(source, 4), neighbour(other, 4)};
  CHECK(moves(options, vitals(4), equal).empty());
  options.stasis = "queue -1";
  const std::vector<NeighbourState> close{neighbour(source, 2)};
  CHECK(moves(options, vitals(4), close) == Moves{{source, 4}});
  options.stasis = "queue -2";
  CHECK(moves(options, vitals(4), close) == Moves{{source, 2}});
}

TEST_CASE("nothing moves without peers, without waiting tasks, or with only one task") {
  const Options options;
  CHECK(moves(options, vitals(4), {}).empty());
  CHECK(moves(options, vitals(0), {neighbour(other, 9)}).empty());
  CHECK(moves(options, vitals(1), {neighbour(other, 0)}).empty());
  CHECK(!moves(options, vitals(2), {neighbour(other, 0)}).empty());
}

TEST_CASE("the longest queue ships all it has, unless tasks go only down to equal") {
  Options options;
  options.flow = "queue -1";
  const std::vector<NeighbourState> seen{neighbour(other, 2)};
  CHECK(moves(options, vitals(8), seen) == Moves{{other, 8}});
  options.only_down = true;
  CHECK(moves(options, vitals(8), seen) == Moves{{other, 3}});
}

TEST_CASE("with credit, tasks on their way count as arrived") {
  Options options;
  options.flow = "queue -1";
  NeighbourState seen = neighbour(other, 0);
  seen.sent = 9;
  CHECK(moves(options, vitals(4), {seen}) == Moves{{other, 4}});
  options.credit = true;
  CHECK(moves(options, vitals(4), {seen}).empty());
}

TEST_CASE("damping moves its share of the tasks on average, though they are whole") {
  Options options;
  options.flow = "queue -1";
  options.damping = 0.25;
  core::Rng rng = core::Rng::derive({1}, "planner");
  const Planner planner(options);
  std::uint32_t moved = 0;
  for (int i = 0; i < 4000; ++i)
    for (const auto& [peer, tasks] : planner.moves(vitals(6), {neighbour(other, 0)}, {}, rng)) {
      REQUIRE(tasks >= 1);
      REQUIRE(tasks <= 2);
      moved += tasks;
    }
  CHECK(moved / 4000.0 == doctest::Approx(1.5).epsilon(0.03));
}

TEST_CASE("finish times are level by the chosen measure, with running tasks included") {
  Options options;
  options.split = Split::finish_times;
  NeighbourState seen = neighbour(other, 0);
  seen.vitals.benchmark = 500ms;  // twice as fast
  seen.vitals.history = 4s;       // or four times as slow
  CHECK(moves(options, vitals(6), {seen}) == Moves{{other, 4}});
  options.estimate = FinishEstimate::history;
  CHECK(moves(options, vitals(6), {seen}) == Moves{{other, 1}});
  seen.vitals.left = 100s;
  CHECK(moves(options, vitals(6), {seen}).empty());
}

TEST_CASE("a peer begins tasks in order, gives away the last, and has each once") {
  Scene scene(me);
  LocalTasks local_tasks({}, 5s);
  for (std::uint32_t i = 0; i < 4; ++i) local_tasks.add(task(i));
  local_tasks.add(task(0));
  CHECK(local_tasks.waiting() == 4);
  local_tasks.start(scene.env());
  CHECK(local_tasks.waiting() == 3);
  const auto taken = local_tasks.take(2);
  REQUIRE(taken.size() == 2);
  CHECK(taken.front().id == TaskId{0, 2});
  CHECK(local_tasks.here() == std::set<TaskId>{{0, 0}, {0, 1}});
  CHECK(local_tasks.take(9).size() == 1);
  CHECK(!local_tasks.idle());
}

TEST_CASE("a peer tells the mean time of its tasks, and until when it is busy") {
  Scene scene(me);
  LocalTasks local_tasks({}, 5s);
  CHECK(local_tasks.history() == 5s);
  CHECK(local_tasks.left(scene.now()) == 0s);
  local_tasks.add(task(0));
  local_tasks.start(scene.env());
  scene.pass(2s);
  CHECK(local_tasks.left(scene.now()) == 3s);
  scene.pass(10s);
  CHECK(local_tasks.left(scene.now()) == 0s);
  const auto done = local_tasks.finish(scene.env(), {.id = {0, 0}, .took = 12s});
  REQUIRE(done.has_value());
  CHECK(done->id == TaskId{0, 0});
  CHECK(local_tasks.history() == 12s);
  CHECK(local_tasks.idle());
}

TEST_CASE("a local tasks under processor sharing serves a few at once, and the others may go") {
  Scene scene(me);
  const auto ps = std::find_if(agents::disciplines().begin(), agents::disciplines().end(),
                               [](const auto& each) { return each.name == "ps"; });
  const agents::DisciplineId id{static_cast<std::uint8_t>(ps - agents::disciplines().begin())};
  LocalTasks local_tasks({.discipline = id}, 5s, 1);
  for (std::uint32_t i = 0; i < 4; ++i) local_tasks.add(task(i));
  local_tasks.start(scene.env());
  CHECK(local_tasks.waiting() == 2);
  CHECK(local_tasks.crowd() == 3);
  CHECK(local_tasks.waits({0, 2}));
  CHECK_FALSE(local_tasks.waits({0, 1}));
  scene.pass(2s);
  CHECK(local_tasks.left(scene.now()) == 8s);  // 4 s at half the rate
  const auto taken = local_tasks.take(9);
  REQUIRE(taken.size() == 2);
  CHECK(taken.front().id == TaskId{0, 2});
}

TEST_CASE("a task that was done elsewhere neither waits nor runs") {
  Scene scene(me);
  LocalTasks local_tasks({}, 5s);
  local_tasks.add(task(0));
  local_tasks.add(task(1));
  local_tasks.start(scene.env());
  local_tasks.drop(scene.env(), task(1).id);
  CHECK(local_tasks.waiting() == 0);
  local_tasks.drop(scene.env(), task(0).id);
  CHECK(local_tasks.idle());
  CHECK(local_tasks.here().empty());
}

TEST_CASE("a transfer is repeated until it is taken, and in the end its tasks come back") {
  Scene scene(me);
  Carrier carrier(true, 1s);
  carrier.send(scene.env(), other, {task(0)});
  carrier.send(scene.env(), other, {task(1)});
  carrier.on(scene.env(), source, {1});  // it was for another peer
  carrier.on(scene.env(), other, {2});
  for (std::uint32_t i = 1; i < Carrier::most_tries; ++i) CHECK(!carrier.on(scene.env(), {1}));
  CHECK(scene.sent<Transfer>().size() == 2 + Carrier::most_tries - 1);
  std::size_t on_the_way = 0;
  carrier.for_each([&](const Task&) { ++on_the_way; });
  CHECK(on_the_way == 1);
  const auto back = carrier.on(scene.env(), {1});
  REQUIRE(back.has_value());
  CHECK(back->to == other);
  CHECK(back->tasks.front().id == TaskId{0, 0});
  CHECK(!carrier.on(scene.env(), {1}));
}

TEST_CASE("a transfer that comes again is answered, and nothing new") {
  Scene scene(me);
  Carrier carrier(true, 1s);
  const auto receive = [&](std::uint32_t life, std::uint64_t number, std::uint64_t oldest) {
    return carrier.receive(scene.env(), other, {life, number, oldest, {task(0)}});
  };
  CHECK(receive(0, 5, 5));
  CHECK(!receive(0, 5, 5));
  CHECK(receive(0, 7, 5));
  CHECK(receive(0, 6, 6));
  CHECK(!receive(0, 4, 4));  // given up meanwhile
  CHECK(receive(1, 0, 0));   // of a later life
  CHECK(!receive(0, 9, 9));  // of a former one
  CHECK(scene.sent<Taken>().size() == 6);
}

TEST_CASE("without recovery a transfer is sent once, and never answered") {
  Scene scene(me);
  Carrier carrier(false, 1s);
  carrier.send(scene.env(), other, {task(0)});
  CHECK(carrier.receive(scene.env(), other, {0, 0, 0, {task(1)}}));
  CHECK(scene.sent<Taken>().empty());
  CHECK(scene.effects() == 1);  // and no fact that was not requested
}

TEST_CASE("books know which peer told of a task last, and which tasks were not told of for long") {
  SourceBooks books;
  books.enter(task(0), source, at(0s));
  books.enter(task(1), source, at(0s));
  books.heard(task(0).id, other, at(5s));
  REQUIRE(books.overdue(at(1s)).size() == 1);
  CHECK(books.overdue(at(1s)).front().holder == source);
  REQUIRE(books.overdue(at(6s)).size() == 2);
  CHECK(books.overdue(at(6s)).front().holder == other);
  CHECK(books.close(task(0).id, other));
  CHECK_FALSE(books.close(task(0).id, other));
  CHECK(books.close(task(0).id, source));
  books.heard(task(0).id, other, at(7s));
  CHECK(!books.open(task(0).id));
  CHECK(books.overdue(at(6s)).size() == 1);
}

TEST_CASE("a result is reported until it is noted") {
  Scene scene(me);
  const Options options;
  SourceLease source_lease(options, source, 1s);
  source_lease.start(scene.env());
  source_lease.done(scene.env(), {task(3).id});
  CHECK(scene.sent<Result>().size() == 1);
  REQUIRE(source_lease.report(scene.env(), {task(0).id}));
  REQUIRE(scene.sent<Report>().size() == 1);
  CHECK(scene.sent<Report>().front().second.done == std::vector{task(3).id});
  CHECK(scene.sent<Report>().front().second.held == std::vector{task(0).id});
  source_lease.on(scene.env(), Heard{.noted = {task(3).id}, .needless = {}});
  CHECK(!source_lease.has_done(task(3).id));
}

TEST_CASE(
    "a result that brings bytes is brought once more where a report shows that it is missing") {
  for (const std::uint64_t bytes : {0U, 100U}) {
    Scene scene(me);
    const Options options;
    SourceLease source_lease(options, source, 1s);
    source_lease.start(scene.env());
    const agents::Product product{task(3).id, {bytes}};
    source_lease.done(scene.env(), product);
    const auto results = [&] { return scene.sent<Result>().size(); };
    source_lease.on(scene.env(), Heard{});  // the answer to what was reported before
    CHECK(results() == 1);
    REQUIRE(source_lease.report(scene.env(), {}));
    for (int copies = 0; copies < 2; ++copies) source_lease.on(scene.env(), Heard{});
    REQUIRE(results() == (bytes > 0 ? 2 : 1));
    CHECK(scene.sent<Result>().back().second.task == product);
    REQUIRE(source_lease.report(scene.env(), {}));
    source_lease.on(scene.env(), Heard{.noted = {product.task}, .needless = {}});
    CHECK(results() == (bytes > 0 ? 2 : 1));
    CHECK_FALSE(source_lease.has_done(product.task));
  }
}

TEST_CASE("a peer that hears nothing of the source gives up, and says so") {
  Scene scene(me);
  const Options options;
  SourceLease source_lease(options, source, 1s);
  source_lease.start(scene.env());
  scene.pass(options.give_up - 1s);
  CHECK(source_lease.report(scene.env(), {}));
  source_lease.on(scene.env(), Heard{});
  scene.pass(options.give_up - 1s);
  CHECK(source_lease.report(scene.env(), {}));
  scene.pass(1s);
  CHECK(!source_lease.report(scene.env(), {}));
}

}  // namespace rhizome::vector_parts_test
