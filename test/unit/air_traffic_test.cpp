#include <doctest/doctest.h>

#include "agents/facts.hpp"
#include "test/support/air_traffic.hpp"

namespace rhizome::air_traffic_test {

using core::PeerId;
using test::Controller;
using test::count_facts;
using test::done;
using test::groups;
using test::let_pass;
using test::queue;
using test::small_world;
using test::started;
using namespace agents::traffic;
using namespace test::one_group;
namespace {

Options fixed() {
  Options options = groups(1);
  options.reorganise = false;
  return options;
}

std::uint64_t ticket(const Controller& peer) { return peer.sent<Take>().back().second.ticket; }

// Passes heartbeats in which these workers hold these tasks.
void beat(Controller& peer, const Options& options, int beats, std::vector<PeerId> alive,
          const std::vector<agents::TaskId>& holding) {
  for (int i = 0; i < beats; ++i) {
    let_pass(peer, options.heartbeat());
    for (const PeerId id : alive) peer.deliver(id, WorkerAlive{1, 1, holding});
  }
}

}  // namespace

TEST_CASE("there are as many leaders for every hundred peers as the options say") {
  const test::World world = small_world({.peers = 101});
  CHECK(make_layout({}, world).size() == 5);
  Options options;
  options.leaders_per_hundred = 10;
  const auto layout = make_layout(options, world);
  CHECK(layout.size() == 10);
  for (const GroupLayout& group : layout) CHECK(group.members.size() == 9);
  options.leaders = 3;
  CHECK(make_layout(options, world).size() == 3);
}

TEST_CASE("a leader asks the queue for a job as large as its group") {
  const test::World world = small_world();
  const auto peer = started(leader, world, groups(1));
  REQUIRE(peer.sent<Take>().size() == 1);
  CHECK(peer.sent<Take>().front().first == queue);
  CHECK(peer.sent<Take>().front().second.size == 2);
}

TEST_CASE("a leader hands each of its workers a task, and another for each result") {
  const test::World world = small_world({.portions = 3});
  auto peer = started(leader, world, fixed());
  const auto& tasks = world.workload.jobs[0].portions;
  peer.deliver(queue, Portion{ticket(peer), 0, 3, tasks});
  REQUIRE(peer.sent<Assign>().size() == 2);
  peer.deliver(worker, done(tasks[0].id, worker));
  CHECK(peer.sent<Assign>().size() == 3);
  REQUIRE(peer.sent<Done>().size() == 1);
  CHECK(peer.sent<Done>().front().first == queue);
  peer.deliver(second_worker, done(tasks[1].id, second_worker));
  CHECK(peer.sent<Take>().size() == 1);  // one task is still out
  peer.deliver(worker, done(tasks[2].id, worker));
  CHECK(peer.sent<Take>().size() == 2);
}

// Peterson, section 3.2: once the controller completes a batch job, it reports to the queue.
TEST_CASE("bundled, a leader sends a worker its tasks and the queue a job's results at once") {
  test::World world = small_world({.portions = 4});
  world.capacities[worker.value].slots = world.capacities[second_worker.value].slots = 2;
  for (const bool bundled : {true, false}) {
    CAPTURE(bundled);
    Options options = fixed();
    options.bundled = bundled;
    auto peer = started(leader, world, options);
    const auto& tasks = world.workload.jobs[0].portions;
    peer.deliver(queue, Portion{ticket(peer), 0, 4, tasks});
    CHECK(peer.sent<Assign>().size() == (bundled ? 2 : 4));
    for (const auto& task : tasks) peer.deliver(worker, done(task.id, worker));
    const auto reports = peer.sent<Done>();
    REQUIRE(reports.size() == (bundled ? 1 : 4));
    CHECK(reports.front().second.results.size() == (bundled ? 4 : 1));
  }
}

TEST_CASE("a leader sends its workers the roster that a successor needs") {
  const test::World world = small_world({.peers = 9});
  const Options options = groups(2);
  auto peer = started(leader, world, options);
  let_pass(peer, options.heartbeat());
  const auto rosters = peer.sent<Roster>();
  REQUIRE(rosters.size() == 3);
  CHECK(rosters.front().second.members.size() == 3);
  CHECK(rosters.front().second.edges == std::vector<PeerId>{PeerId{5}});
}

TEST_CASE("the tasks of a worker that falls silent go to others") {
  const test::World world = small_world({.portions = 2, .peers = 5});
  const Options options = fixed();
  auto peer = started(leader, world, options);
  const auto& tasks = world.workload.jobs[0].portions;
  peer.deliver(queue, Portion{ticket(peer), 0, 2, tasks});
  REQUIRE(peer.sent<Assign>().size() == 2);
  peer.forget();
  beat(peer, options, 6, {second_worker, third_worker}, {tasks[1].id});
  REQUIRE(peer.sent<Assign>().size() == 1);
  CHECK(peer.sent<Assign>().front().first == third_worker);
  CHECK(peer.sent<Assign>().front().second.tasks.front().id == tasks[0].id);
  CHECK(count_facts<agents::TaskReissued>(peer) == 1);
}

// A sign of life may have crossed the task, or be overtaken by its result.
TEST_CASE("a task is assigned again once the worker must have had it, and denies it twice") {
  const test::World world = small_world({.portions = 1, .peers = 3});
  const Options options = fixed();
  auto peer = started(leader, world, options);
  const agents::TaskId task = world.workload.jobs[0].portions[0].id;
  peer.deliver(queue, Portion{ticket(peer), 0, 1, world.workload.jobs[0].portions});
  beat(peer, options, 2, {worker}, {});
  CHECK(peer.sent<Assign>().size() == 1);
  beat(peer, options, 1, {worker}, {});  // the first that counts
  beat(peer, options, 1, {worker}, {});
  CHECK(peer.sent<Assign>().size() == 1);
  beat(peer, options, 1, {worker}, {});
  CHECK(peer.sent<Assign>().size() == 2);
  beat(peer, options, 20, {worker}, {task});
  CHECK(peer.sent<Assign>().size() == 2);
}

// The worker began a new life, for example, while a copy of its task ran elsewhere.
TEST_CASE("a worker that denies a task that another has done is free for the next job") {
  const test::World world = small_world({.jobs = 2, .portions = 2});
  const Options options = fixed();
  auto peer = started(leader, world, options);
  const auto& first = world.workload.jobs[0].portions;
  const auto& second = world.workload.jobs[1].portions;
  peer.deliver(queue, Portion{ticket(peer), 0, 2, first});
  peer.deliver(second_worker, done(first[0].id, second_worker));
  const auto assigned = peer.sent<Assign>().size();
  beat(peer, options, 6, {worker, second_worker}, {first[1].id});
  CHECK(peer.sent<Assign>().size() == assigned);
  peer.deliver(second_worker, done(first[1].id, second_worker));
  peer.deliver(queue, Portion{ticket(peer), 0, 2, second});
  REQUIRE(peer.sent<Assign>().size() == assigned + 2);
  CHECK(peer.sent<Assign>().back().first != peer.sent<Assign>()[assigned].first);
}

TEST_CASE("portions that come one by one over a slow line are not asked for meanwhile") {
  const test::World world = small_world({.portions = 4, .peers = 6});
  const Options options = fixed();
  auto peer = started(leader, world, options);
  const std::uint64_t asked = ticket(peer);
  for (std::uint32_t i = 0; i < 3; ++i) {
    peer.deliver(queue, Portion{asked, i, 4, {world.workload.jobs[0].portions[i]}});
    let_pass(peer, options.round_trip());
  }
  CHECK(peer.sent<Missing>().empty());
}

TEST_CASE("portions that do not come are asked for once they must have come") {
  const test::World world = small_world({.portions = 3, .peers = 5});
  const Options options = fixed();
  auto peer = started(leader, world, options);
  peer.deliver(queue, Portion{ticket(peer), 1, 3, {world.workload.jobs[0].portions[1]}});
  let_pass(peer, options.round_trip());
  CHECK(peer.sent<Missing>().empty());
  let_pass(peer, options.heartbeat());
  REQUIRE(peer.sent<Missing>().size() == 1);
  CHECK(peer.sent<Missing>().front().second.indexes == std::vector<std::uint32_t>{0, 2});
}

TEST_CASE("a leader sends recalled results again, and returns tasks that it does not have") {
  const test::World world = small_world({.portions = 2});
  auto peer = started(leader, world, fixed());
  const auto& tasks = world.workload.jobs[0].portions;
  const std::uint64_t first = ticket(peer);
  peer.deliver(queue, Portion{first, 0, 2, tasks});
  for (const auto& task : tasks) peer.deliver(worker, done(task.id, worker));
  peer.forget();
  peer.deliver(queue, Recall{first, {tasks[1].id}});
  REQUIRE(peer.sent<Done>().size() == 1);
  CHECK(peer.sent<Done>().front().second.results.front().task == tasks[1].id);
  peer.deliver(queue, Recall{first + 7, {tasks[1].id}});
  CHECK(peer.sent<Return>().size() == 1);
}

TEST_CASE("a leader asks for the tasks of a job that it was given only if none has come") {
  const test::World world = small_world({.portions = 3});
  auto peer = started(leader, world, groups(1));
  const std::uint64_t first = ticket(peer);
  const auto& tasks = world.workload.jobs[0].portions;
  SUBCASE("they were lost") {
    peer.deliver(queue, Given{first, 2});
    REQUIRE(peer.sent<Missing>().size() == 1);
    CHECK(peer.sent<Missing>().front().second.indexes == std::vector<std::uint32_t>{0, 1});
  }
  SUBCASE("they have come") {
    peer.deliver(queue, Portion{first, 0, 2, {tasks[0], tasks[1]}});
    peer.deliver(queue, Given{first, 2});
    CHECK(peer.sent<Missing>().empty());
  }
  SUBCASE("a peer that is no queue says so") {
    peer.deliver(worker, Given{first, 2});
    CHECK(peer.sent<Missing>().empty());
  }
}

TEST_CASE("a leader whose job has gone to another asks for the next") {
  const test::World world = small_world({.portions = 3});
  auto peer = started(leader, world, groups(1));
  const std::uint64_t first = ticket(peer);
  peer.deliver(queue, Portion{first, 0, 2, {world.workload.jobs[0].portions[0]}});
  peer.deliver(queue, Voided{first});
  REQUIRE(peer.sent<Take>().size() == 2);
  CHECK(ticket(peer) == first + 1);
}

TEST_CASE("a leader whose ticket is void asks with another, and refuses a waiting suitor") {
  const test::World world = small_world({.portions = 3, .peers = 9});
  auto peer = started(leader, world, groups(2));
  const std::uint64_t first = ticket(peer);
  constexpr PeerId suitor{5};
  SUBCASE("while it asks") {}
  SUBCASE("while it withdraws its question") { peer.deliver(suitor, MergeAsk{}); }
  const bool withdraws = !peer.sent<Withdraw>().empty();
  peer.deliver(queue, Voided{first});
  CHECK(ticket(peer) == first + 1);
  CHECK(peer.sent<MergeRefuse>().size() == (withdraws ? 1 : 0));
}

TEST_CASE("a peer that says that it follows a leader becomes its worker, and gets work") {
  const test::World world = small_world({.portions = 4, .peers = 9});
  auto peer = started(leader, world, [] {
    Options options = groups(2);
    options.reorganise = false;
    return options;
  }());
  peer.deliver(queue, Portion{ticket(peer), 0, 4, world.workload.jobs[0].portions});
  REQUIRE(peer.sent<Assign>().size() == 3);
  peer.deliver(PeerId{8}, WorkerAlive{1, 5, {}});
  REQUIRE(peer.sent<Assign>().size() == 4);
  CHECK(peer.sent<Assign>().back().first == PeerId{8});
  CHECK(peer.protocol().leader()->epoch() == 5);  // no order of its own may be older
}

// The leader once became a worker so, and was handed a task that it could not take. The task was
// given again once the leader seemed dead.
TEST_CASE("messages of a follower from before a leader began do not make it a worker") {
  const test::World world = small_world({.peers = 5});
  const Options options = fixed();
  auto peer = started(worker, world, options);
  peer.deliver(leader, Lead{7, {}});
  REQUIRE(peer.protocol().leader() != nullptr);
  peer.forget();
  peer.deliver(third_worker, WorkerAlive{1, 6, {}});
  CHECK(peer.sent<Take>().empty());
  SUBCASE("unless it follows still, once that must have come") {
    peer.pass(options.round_trip() + std::chrono::milliseconds(1));
    peer.deliver(third_worker, WorkerAlive{1, 6, {}});
    CHECK_FALSE(peer.sent<Take>().empty());
  }
  SUBCASE("unless it knows of the leader") {
    peer.deliver(third_worker, WorkerAlive{1, 7, {}});
    CHECK_FALSE(peer.sent<Take>().empty());
  }
}

TEST_CASE("the only peer besides the queue leads itself and does the work") {
  const test::World world = small_world({.portions = 2});
  const Options options = groups(1);
  auto peer = started(leader, world, options);
  let_pass(peer, 3 * options.timeout);  // its workers are dead
  const auto takes = peer.sent<Take>();
  CHECK(takes.back().second.size == 1);
  peer.deliver(queue,
               Portion{takes.back().second.ticket, 0, 1, {world.workload.jobs[0].portions[0]}});
  REQUIRE(peer.sent<Assign>().size() == 1);
  CHECK(peer.sent<Assign>().front().first == leader);
  peer.deliver(leader, peer.sent<Assign>().front().second);
  CHECK(peer.works().size() == 1);
}

TEST_CASE("a peer that gave the queue up looks for a group once it hears it") {
  const test::World world = small_world({.peers = 5});
  const Options options = fixed();
  auto peer = started(leader, world, options);
  let_pass(peer, options.patience() + options.longest_cut + options.heartbeat());
  REQUIRE(count_facts<agents::RunFailed>(peer) == 1);
  peer.deliver(worker, Linked{});
  REQUIRE(peer.sent<Terminate>().back().first == worker);
  peer.deliver(queue, QueueAlive{});
  let_pass(peer, options.heartbeat());
  REQUIRE_FALSE(peer.sent<Join>().empty());
  CHECK(peer.sent<Join>().back().first == queue);
  CHECK_FALSE(peer.finished());
  CHECK(count_facts<agents::RunFailed>(peer) == 1);
}

TEST_CASE("a leader without workers that has neighbours gives its job back and joins a group") {
  const test::World world = small_world({.portions = 2, .peers = 9});
  const Options options = groups(2);
  auto peer = started(leader, world, options);
  peer.deliver(queue, Portion{ticket(peer), 0, 2, world.workload.jobs[0].portions});
  for (int i = 0; i < 12; ++i) {
    let_pass(peer, options.heartbeat());
    peer.deliver(PeerId{5}, Linked{});
  }
  CHECK(peer.protocol().leader() == nullptr);
  CHECK(peer.sent<Return>().size() >= 1);
  CHECK_FALSE(peer.sent<Join>().empty());
}

TEST_CASE("a leader believes no message that cannot be true") {
  const test::World world = small_world({.portions = 3});
  auto peer = started(leader, world, groups(1));
  const auto& tasks = world.workload.jobs[0].portions;
  const std::uint64_t now = ticket(peer);
  peer.deliver(queue, Portion{now, 0, 0, {}});
  peer.deliver(queue, Portion{now, 3, 3, {tasks[0]}});
  peer.deliver(queue, Portion{now, 0, 4'000'000'000, {tasks[0]}});
  peer.deliver(queue, Portion{now, 2, 3, {tasks[0], tasks[1]}});
  peer.deliver(second_worker, Portion{now, 0, 1, {tasks[0]}});
  CHECK(peer.sent<Assign>().empty());
  peer.deliver(PeerId{4}, Linked{});
  peer.deliver(worker, Unlinked{PeerId{4}});
  peer.deliver(queue, Neighbour{PeerId{4}});
  CHECK(peer.protocol().leader()->edges().list().empty());
  peer.deliver(worker, WorkerAlive{7, 1, {}});
  peer.deliver(worker, WorkerAlive{1, 1, {{9, 9}}});
  peer.deliver(worker, done({9, 9}, worker));
  CHECK(peer.sent<Done>().empty());
}

}  // namespace rhizome::air_traffic_test
