// What vector scheduling knows of tasks of graphs: which begins first, which move, and what the
// source does where one is lost.
#include <doctest/doctest.h>

#include <any>
#include <chrono>
#include <cstdint>
#include <map>
#include <vector>

#include "agents/locator/service.hpp"
#include "agents/schedulers.hpp"
#include "agents/vector/graph_tasks.hpp"
#include "agents/vector/ranks.hpp"
#include "agents/vector/vector.hpp"
#include "test/support/handed_in.hpp"
#include "test/support/lone_peer.hpp"
#include "test/support/small_world.hpp"

namespace rhizome::vector_graphs_test {

using namespace agents;
using namespace agents::vectors;
using namespace std::chrono_literals;
using core::PeerId;

namespace {

constexpr core::Time start{};
constexpr TaskId first{0, 0};
constexpr TaskId second{0, 1};
constexpr TaskId third{0, 2};

// 0 before 1 before 2, and 0 before 2.
std::vector<locator::Mobile> chain() {
  return locator::mobiles_of({{.id = first}, {.id = second}, {.id = third}},
                             {{1, 0, 5}, {2, 1, 6}, {2, 0, 7}}, PeerId{3});
}

Options with_locator(locator::Kind kind) {
  Options options;
  options.locator.kind = kind;
  return options;
}

// The source of four peers, all neighbours, with a job of six tasks or more: 1, 2 and 3 need 0; the
// others are alone.
struct Source {
  test::World world;
  std::any chosen;
  test::LonePeer<VectorPeer> peer{
      PeerId{0}, [this](core::Peer& bare) { vector_scheduling().equip(bare, chosen, world); }};
  std::uint64_t told = 0;  // by the neighbour

  explicit Source(locator::Kind kind = locator::Kind::forwarders,
                  const std::vector<Dependency>& more = {}, std::uint32_t portions = 6)
      : world(test::small_world({.portions = portions})), chosen(with_locator(kind)) {
    world.workload.jobs[0].dependencies = more;
    for (const std::uint32_t task : {1U, 2U, 3U})
      world.workload.jobs[0].dependencies.push_back({task, 0, 10});
    world.settle();
    peer.start();
    test::hand_in(peer, vector_scheduling(), chosen, world);
  }
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  // A neighbour tells of itself, and the next tick comes.
  void divide(const std::vector<LevelCount>& levels, std::uint32_t queue = 0) {
    peer.deliver(PeerId{2}, LevelInfo{{.vitals = {.queue = queue}, .mark = {0, ++told}}, levels});
    pass(1s);
  }
  void pass(core::Duration time) {
    const core::Time until = peer.now() + time;
    while (peer.now() < until && peer.fire_next()) {
    }
  }
  [[nodiscard]] std::size_t moved() const { return test::count_facts<locator::TaskLeft>(peer); }
  [[nodiscard]] std::size_t transferred() const { return peer.sent<Transfer>().size(); }
  [[nodiscard]] std::vector<std::uint32_t> begun() const {
    std::vector<std::uint32_t> portions;
    for (const TaskStarted& fact : test::only<TaskStarted>(peer.facts()))
      portions.push_back(fact.task.portion);
    return portions;
  }
};

}  // namespace

TEST_CASE("a task of a graph begins before single tasks, and so do the tasks that it makes ready") {
  Source source;
  CHECK(source.begun() == std::vector<std::uint32_t>{0});
  while (source.begun().size() < 2) REQUIRE(source.peer.complete_next());
  CHECK(source.begun() == std::vector<std::uint32_t>{0, 1});
}

TEST_CASE("each level is divided by itself, in moves, and single tasks in transfers") {
  SUBCASE("a neighbour that has nothing gets all") {
    Source source;
    source.divide({});
    CHECK(source.moved() == 3);
    CHECK(source.transferred() == 2);
  }
  SUBCASE("one that has much of the level gets the others") {
    Source source;
    source.divide({{1, 6}});
    CHECK(source.moved() == 0);
    CHECK(source.transferred() == 2);
  }
  SUBCASE("one that has much of another level gets this one") {
    Source source;
    source.divide({{5, 6}}, 6);
    CHECK(source.moved() == 3);
    CHECK(source.transferred() == 0);
  }
  SUBCASE("a neighbour's older word of its levels does not count after its newer one") {
    Source source;
    source.peer.deliver(PeerId{2}, LevelInfo{{.mark = {0, 9}}, {{1, 6}}});
    source.divide({});
    CHECK(source.moved() == 0);
  }
}

TEST_CASE("a peer's count of each level goes to its neighbours with the rest") {
  Source source;
  while (source.peer.sent<LevelInfo>().empty()) REQUIRE(source.peer.complete_next());
  CHECK(source.peer.sent<LevelInfo>().front().second.levels == std::vector<LevelCount>{{1, 3}});
  CHECK(source.peer.sent<Info>().empty());
}

TEST_CASE("a task enters with its level and all that it has to do with, where it entered") {
  const auto tasks = chain();
  CHECK(tasks[0].level == 0);
  CHECK(tasks[1].level == 1);
  CHECK(tasks[2].level == 2);
  CHECK(tasks[0].unmet.empty());
  REQUIRE(tasks[2].unmet.size() == 2);
  CHECK(tasks[2].unmet[1].task == second);
  CHECK(tasks[2].unmet[1].bytes == 6);
  REQUIRE(tasks[0].successors.size() == 2);
  CHECK(tasks[0].successors[1].at == locator::Address{PeerId{3}, 0});
}

TEST_CASE("the shallowest task that is ready begins first, and of one level the earliest") {
  Ranks ranks;
  ranks.add(third, 2, start);
  ranks.add(second, 1, start);
  ranks.add(first, 1, start);
  CHECK_FALSE(ranks.first_ready());
  ranks.ready(third);
  CHECK(ranks.first_ready() == third);
  ranks.ready(first);
  CHECK(ranks.first_ready() == first);
  ranks.ready(second);
  CHECK(ranks.first_ready() == second);
  ranks.remove(second);
  CHECK(ranks.first_ready() == first);
}

TEST_CASE("the last tasks that came to a level move, ready or not") {
  Ranks ranks;
  ranks.add(first, 1, start);
  ranks.add(second, 1, start);
  ranks.add(third, 2, start);
  ranks.ready(second);
  CHECK(ranks.counts() == std::vector<LevelCount>{{1, 2}, {2, 1}});
  CHECK(ranks.last(1, 1) == std::vector<TaskId>{second});
  CHECK(ranks.last(1, 5) == std::vector<TaskId>{second, first});
  CHECK(ranks.last(7, 5).empty());
  ranks.remove(third);
  CHECK(ranks.counts() == std::vector<LevelCount>{{1, 2}});
}

TEST_CASE("the time since when a task waits for others is known, and a ready task does not wait") {
  Ranks ranks;
  const auto unready = [&ranks] {
    std::map<TaskId, core::Time> tasks;
    ranks.for_each_unready([&](TaskId task, core::Time since) { tasks.emplace(task, since); });
    return tasks;
  };
  ranks.add(first, 0, start);
  ranks.add(second, 1, start);
  ranks.ready(first);
  CHECK(unready() == std::map<TaskId, core::Time>{{second, start}});
  ranks.add(second, 1, start + 6s);  // it has come again
  CHECK(unready() == std::map<TaskId, core::Time>{{second, start + 6s}});
}

TEST_CASE("a neighbour's count of a level is its last word, and tasks sent since if they count") {
  NeighbourRanks ranks;
  ranks.heard(PeerId{1}, {{0, 4}, {2, 1}});
  ranks.sent(PeerId{1}, 2, 3);
  CHECK(ranks.count(PeerId{1}, 0, true) == 4);
  CHECK(ranks.count(PeerId{1}, 2, true) == 4);
  CHECK(ranks.count(PeerId{1}, 2, false) == 1);
  CHECK(ranks.count(PeerId{2}, 2, false) == 0);
  ranks.heard(PeerId{1}, {{0, 1}});
  CHECK(ranks.count(PeerId{1}, 2, true) == 0);
}

TEST_CASE("a lost task is placed once more, with a later epoch and the data of completed tasks") {
  GraphProgress graph_progress;
  for (const locator::Mobile& task : chain()) graph_progress.enter(task);
  graph_progress.done(first, start);
  CHECK_FALSE(graph_progress.open(first));
  const locator::Mobile again = graph_progress.again(third);
  CHECK(again.epoch == locator::generation);
  REQUIRE(again.met.size() == 1);
  CHECK(again.met[0].task == first);
  REQUIRE(again.unmet.size() == 1);
  CHECK(again.unmet[0].task == second);
  CHECK(graph_progress.again(third).epoch == 2 * locator::generation);
}

TEST_CASE("a task that waits in vain is owed the data of tasks done long ago, and nothing else") {
  GraphProgress graph_progress;
  for (const locator::Mobile& task : chain()) graph_progress.enter(task);
  graph_progress.done(first, start + 10s);
  CHECK_FALSE(graph_progress.owed({third, first}, PeerId{4}, start + 10s));
  const auto owed = graph_progress.owed({third, first}, PeerId{4}, start + 11s);
  REQUIRE(owed);
  CHECK(owed->from == first);
  REQUIRE(owed->successors.size() == 1);
  CHECK(owed->successors[0].task == third);
  CHECK(owed->successors[0].at == locator::Address{PeerId{4}, 0});
  CHECK(owed->successors[0].bytes == 7);
  CHECK_FALSE(graph_progress.owed({third, second}, PeerId{4}, start + 11s));
  CHECK_FALSE(graph_progress.owed({first, first}, PeerId{4}, start + 11s));
}

TEST_CASE("a time that follows long tasks is not taken for one that was said") {
  agents::World world;
  world.profile.add({.portions = {{.duration = 60s}}});
  locator::Options none{.kind = locator::Kind::none};
  none.repeat = in_pace(none.repeat, world);
  REQUIRE(none.repeat > 1s);
  CHECK(locator::refusal(none, world).empty());
  none.repeat = 5s;
  CHECK(locator::refusal(none, world).ends_with("no effect with locator = \"none\""));
}

TEST_CASE("a locator that says nothing twice is refused where messages are lost") {
  agents::World world;
  const locator::Options silent{.repeat = 0s};
  CHECK(locator::refusal(silent, world).empty());
  world.loses = true;
  CHECK(locator::refusal(silent, world).starts_with("repeat cannot be 0 in a world that loses"));
  CHECK(locator::refusal({}, world).empty());
}

TEST_CASE("a task that gives others bytes is not lost while some peer reports that it is done") {
  Source source(locator::Kind::none, {{3, 17, 10}}, 18);
  const PeerId executor{2};
  source.peer.deliver(executor, Info{.vitals = {}, .mark = {0, 1}});
  source.pass(1s);
  REQUIRE(source.transferred() > 1);  // the last tasks
  for (const auto& [to, transfer] : source.peer.sent<Transfer>())
    source.peer.deliver(to, Taken{transfer.number});
  for (int seconds = 0; seconds < 60; ++seconds) {
    source.peer.deliver(executor, Report{.held = {}, .done = {{0, 17}}});
    source.pass(1s);
  }
  const auto again = test::only<TaskReissued>(source.peer.facts());
  REQUIRE(!again.empty());
  for (const TaskReissued& each : again) CHECK(each.task != TaskId{0, 17});
}

TEST_CASE("a report is no result of a task that gives others bytes, wherever its graph is kept") {
  for (const locator::Kind kind : {locator::Kind::forwarders, locator::Kind::none}) {
    Source source(kind);
    const PeerId executor{2};
    const auto completed = [&] { return test::count_facts<TaskCompleted>(source.peer); };
    const auto noted = [&](TaskId task) {
      source.peer.deliver(executor, Report{.held = {}, .done = {task}});
      return !source.peer.sent<Heard>().back().second.noted.empty();
    };
    CHECK(noted({0, 4}));  // which is alone
    CHECK(completed() == 1);
    CHECK_FALSE(noted(first));
    CHECK(completed() == 1);
    source.peer.deliver(executor, Result{{first, {30}}});
    CHECK(completed() == 2);
    CHECK(noted(first));
  }
}

}  // namespace rhizome::vector_graphs_test
