#include <doctest/doctest.h>

#include "agents/facts.hpp"
#include "test/support/air_traffic.hpp"

namespace rhizome::air_traffic_queue_test {

using core::PeerId;
using test::Controller;
using test::count_facts;
using test::done;
using test::groups;
using test::let_pass;
using test::queue;
using test::small_world;
using test::started;
using test::one_group::leader;
using namespace agents::traffic;
namespace {

constexpr PeerId other_leader{2};

Options bundled() {
  Options options = groups(1);
  options.bundled = true;
  return options;
}

// Jobs of 1, 6 and 3 tasks.
test::World mixed_world() {
  test::World world = small_world({.jobs = 3, .portions = 6});
  world.workload.jobs[0].portions.resize(1);
  world.workload.jobs[2].portions.resize(3);
  return world.settle();
}

std::uint32_t job_given(const Controller& peer) {
  const auto given = peer.sent<Portion>();
  return given.empty() ? 99 : given.back().second.tasks.front().id.job;
}

}  // namespace

TEST_CASE("the queue moves a job in one message when bundled, and in one per task when not") {
  const test::World world = small_world({.portions = 3});
  for (const bool together : {true, false}) {
    CAPTURE(together);
    Options options = groups(1);
    options.bundled = together;
    auto peer = started(queue, world, options);
    peer.deliver(leader, Take{1, 3});
    CHECK(peer.sent<Portion>().size() == (together ? 1 : 3));
  }
}

TEST_CASE("the queue gives the largest job that fits the group, else the head") {
  const test::World world = mixed_world();
  auto peer = started(queue, world, bundled());
  peer.deliver(leader, Take{1, 4});
  CHECK(job_given(peer) == 2);
  peer.deliver(other_leader, Take{1, 4});  // jobs of 1 and 6 tasks: only one fits
  CHECK(job_given(peer) == 0);
  peer.deliver(PeerId{3}, Take{1, 4});  // none fits
  CHECK(job_given(peer) == 1);
}

TEST_CASE("with a window of one job the queue serves the first come first") {
  const test::World world = mixed_world();
  Options options = bundled();
  options.window = 1;
  auto peer = started(queue, world, options);
  peer.deliver(leader, Take{1, 4});
  CHECK(job_given(peer) == 0);
}

TEST_CASE("the window looks no further than it says") {
  const test::World world = mixed_world();
  Options options = bundled();
  options.window = 2;
  auto peer = started(queue, world, options);
  peer.deliver(leader, Take{1, 4});
  CHECK(job_given(peer) == 0);  // job 2 would fit better
}

TEST_CASE("a leader that asks again after its job must have come is sent what it lacks") {
  const test::World world = small_world({.jobs = 2, .portions = 2});
  const Options options = bundled();
  auto peer = started(queue, world, options);
  peer.deliver(leader, Take{1, 2});
  peer.pass(options.round_trip());
  peer.deliver(leader, Take{1, 2});  // may have crossed the job on its way
  CHECK(peer.sent<Given>().empty());
  peer.pass(std::chrono::milliseconds(1));
  peer.deliver(leader, Take{1, 2});
  peer.deliver(leader, Take{1, 2});
  REQUIRE(peer.sent<Given>().size() == 1);  // once, not for each question
  CHECK(peer.sent<Given>().back().second.ticket == 1);
  CHECK(peer.sent<Portion>().size() == 1);
  peer.deliver(leader, Missing{1, {0}});
  REQUIRE(peer.sent<Portion>().size() == 2);
  CHECK(peer.sent<Portion>().back().second.ticket == 1);
  CHECK(job_given(peer) == 0);
}

TEST_CASE("a queue that no peer sends to any more tells all peers that it lives") {
  const test::World world = small_world();
  const Options options = bundled();
  auto peer = started(queue, world, options);
  let_pass(peer, options.patience());
  CHECK(peer.sent<QueueAlive>().empty());
  let_pass(peer, options.heartbeat());
  CHECK(peer.sent<QueueAlive>().size() == world.peers() - 1);
}

// The leader of such a ticket once repeated its question for ever.
TEST_CASE("a ticket whose job was lost on the way, and is done, is void") {
  const test::World world = small_world({.jobs = 2, .portions = 1});
  const Options options = bundled();
  auto peer = started(queue, world, options);
  peer.deliver(leader, Take{1, 2});
  peer.deliver(leader, done({0, 0}, PeerId{3}));  // a worker of its former life did it
  peer.pass(options.round_trip() + std::chrono::milliseconds(1));
  peer.deliver(leader, Take{1, 2});
  CHECK(peer.sent<Portion>().size() == 1);
  REQUIRE(peer.sent<Voided>().size() == 1);
  CHECK(peer.sent<Voided>().front().second.ticket == 1);
  peer.deliver(leader, Take{2, 2});
  CHECK(job_given(peer) == 1);
}

TEST_CASE("a question that overtakes the last result waits for it") {
  const test::World world = small_world({.jobs = 2, .portions = 1});
  auto peer = started(queue, world, bundled());
  peer.deliver(leader, Take{1, 2});
  peer.deliver(leader, Take{2, 2});
  CHECK(peer.sent<Recall>().empty());
  CHECK(peer.sent<Portion>().size() == 1);
  peer.deliver(leader, done({0, 0}, PeerId{3}));
  CHECK(peer.sent<Portion>().size() == 2);
  CHECK(count_facts<agents::TaskReissued>(peer) == 0);
}

TEST_CASE("results that do not come are recalled, and at last the job is given anew") {
  const test::World world = small_world({.jobs = 1, .portions = 2});
  const Options options = bundled();
  auto peer = started(queue, world, options);
  peer.deliver(leader, Take{1, 2});
  peer.deliver(leader, done({0, 0}, PeerId{3}));
  std::vector<std::size_t> recalls;  // so far, after each round trip
  for (int i = 0; i < 16; ++i) {
    peer.deliver(leader, Take{2, 2});
    peer.pass(options.round_trip() + std::chrono::milliseconds(1));
    recalls.push_back(peer.sent<Recall>().size());
  }
  // After one round trip, two more, and four more; a recall without an answer is given up eight
  // later.
  CHECK(recalls == std::vector<std::size_t>{0, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3});
  REQUIRE(peer.sent<Recall>().size() == 3);
  CHECK(peer.sent<Recall>().front().second.tasks == std::vector<agents::TaskId>{{0, 1}});
  REQUIRE(peer.sent<Portion>().size() == 2);
  CHECK(peer.sent<Portion>().back().second.tasks.size() == 1);  // without completed tasks
}

TEST_CASE("a job that comes back goes to the head of the queue") {
  const test::World world = small_world({.jobs = 3, .portions = 2});
  auto peer = started(queue, world, bundled());
  peer.deliver(leader, Take{1, 2});
  REQUIRE(job_given(peer) == 0);
  peer.deliver(leader, Return{1});
  peer.deliver(other_leader, Take{1, 2});
  CHECK(job_given(peer) == 0);
}

TEST_CASE("only a ticket that is returned brings its job back") {
  const test::World world = small_world({.jobs = 2, .portions = 2});
  auto peer = started(queue, world, bundled());
  peer.deliver(leader, Take{5, 2});
  peer.deliver(leader, Return{4});
  peer.deliver(other_leader, Take{1, 2});
  CHECK(job_given(peer) == 1);
}

TEST_CASE("the job of a leader that falls silent goes to another") {
  const test::World world = small_world({.jobs = 1, .portions = 2});
  const Options options = bundled();
  auto peer = started(queue, world, options);
  peer.deliver(leader, Take{1, 2});
  peer.deliver(other_leader, Take{1, 2});
  for (int i = 0; i < 6; ++i) {
    let_pass(peer, options.heartbeat());
    peer.deliver(other_leader, LeaderAlive{2});
  }
  CHECK(count_facts<agents::TaskReissued>(peer) == 2);
  REQUIRE(peer.sent<Portion>().size() == 2);
  CHECK(peer.sent<Portion>().back().first == other_leader);
}

TEST_CASE("a result that comes twice is completed once and counted as a duplicate") {
  const test::World world = small_world({.jobs = 1, .portions = 2});
  auto peer = started(queue, world, bundled());
  peer.deliver(leader, done({0, 0}, PeerId{3}));
  peer.deliver(leader, done({0, 0}, PeerId{3}));
  CHECK(count_facts<agents::TaskCompleted>(peer) == 1);
  CHECK(count_facts<agents::TaskDuplicate>(peer) == 1);
  CHECK_FALSE(peer.finished());
}

TEST_CASE("a question that was withdrawn is not served, however late it comes again") {
  const test::World world = small_world({.jobs = 1, .portions = 2});
  test::World empty = world;
  empty.workload.jobs[0].arrival = core::Time{} + std::chrono::seconds(1);
  empty.settle();
  auto peer = started(queue, empty, bundled());
  peer.deliver(leader, Take{7, 2});
  peer.deliver(leader, Withdraw{7});
  REQUIRE(peer.sent<Withdrawn>().size() == 1);
  peer.deliver(leader, Take{7, 2});
  let_pass(peer, std::chrono::seconds(2));
  CHECK(peer.sent<Portion>().empty());
  peer.deliver(leader, Take{8, 2});
  CHECK(peer.sent<Portion>().size() == 1);
}

TEST_CASE("a result of a task that has not been handed in does not make it done") {
  test::World world = small_world({.jobs = 1, .portions = 2});
  world.workload.jobs[0].arrival = core::Time{} + std::chrono::seconds(1);
  world.settle();
  auto peer = started(queue, world, bundled());
  peer.deliver(leader, test::done({0, 0}, leader));
  let_pass(peer, std::chrono::milliseconds(1500));
  peer.deliver(leader, Take{7, 2});
  REQUIRE(peer.sent<Portion>().size() == 1);
  peer.deliver(leader, Return{7});
  peer.deliver(leader, Take{8, 2});
  REQUIRE(peer.sent<Portion>().size() == 2);
  CHECK(peer.sent<Portion>()[1].second.tasks.size() == 2);
}

TEST_CASE("a job that is on its way cannot be withdrawn") {
  const test::World world = small_world({.jobs = 1, .portions = 2});
  auto peer = started(queue, world, bundled());
  peer.deliver(leader, Take{7, 2});
  peer.deliver(leader, Withdraw{7});
  CHECK(peer.sent<Withdrawn>().empty());
}

TEST_CASE("if a leader is bereaved the queue closes a ring of the living leaders") {
  const test::World world = small_world({.peers = 6});
  auto peer = started(queue, world, groups(2));
  for (const std::uint32_t id : {1U, 3U, 5U}) peer.deliver(PeerId{id}, LeaderAlive{1});
  CHECK(peer.sent<Neighbour>().empty());
  peer.deliver(PeerId{3}, Bereaved{});
  for (const std::uint32_t id : {1U, 5U}) peer.deliver(PeerId{id}, LeaderAlive{1});
  const auto told = peer.sent<Neighbour>();
  REQUIRE(told.size() == 3);
  CHECK(told[0].second.leader == PeerId{5});
  CHECK(told[1].second.leader == PeerId{3});
  CHECK(told[2].second.leader == PeerId{1});
}

TEST_CASE("newcomers are referred to the smallest group, and without any lead one") {
  const test::World world = small_world({.peers = 8});
  auto peer = started(queue, world, groups(2));
  peer.deliver(PeerId{7}, Join{1});
  REQUIRE(peer.sent<Refer>().size() == 1);
  CHECK(peer.sent<Refer>().back().second.leader == PeerId{7});
  peer.deliver(PeerId{1}, LeaderAlive{3});
  peer.deliver(PeerId{4}, LeaderAlive{2});
  peer.deliver(PeerId{7}, LeaderAlive{4});
  peer.deliver(PeerId{2}, Join{1});
  CHECK(peer.sent<Refer>().back().second.leader == PeerId{4});
}

// A leader that lends its group may follow another before the newcomer comes.
TEST_CASE(
    "newcomers are not referred to a leader that has withdrawn while another waits for work") {
  const test::World world = small_world({.peers = 8});
  auto peer = started(queue, world, groups(2));
  peer.deliver(PeerId{1}, Take{1, 3});
  peer.deliver(PeerId{4}, Take{1, 2});
  peer.deliver(PeerId{4}, Withdraw{1});
  peer.deliver(PeerId{2}, Join{1});
  CHECK(peer.sent<Refer>().back().second.leader == PeerId{1});
}

TEST_CASE("a queue that hears no peer for too long ends the run and notes that it failed") {
  const test::World world = small_world();
  const Options options = groups(1);
  auto peer = started(queue, world, options);
  let_pass(peer, options.longest_cut);
  CHECK_FALSE(peer.finished());
  let_pass(peer, options.timeout);
  CHECK(peer.finished());
  CHECK(count_facts<agents::RunFailed>(peer) == 1);
  CHECK(peer.timers().empty());
}

TEST_CASE("no peer can end a living queue") {
  const test::World world = small_world();
  auto peer = started(queue, world, groups(1));
  peer.deliver(leader, Terminate{true});
  peer.deliver(leader, Terminate{false});
  CHECK_FALSE(peer.finished());
}

TEST_CASE("the queue believes no message that cannot be true") {
  const test::World world = small_world({.portions = 2});
  auto peer = started(queue, world, groups(1));
  peer.deliver(leader, done({0, 2}, PeerId{3}));
  peer.deliver(leader, done({1, 0}, PeerId{3}));
  peer.deliver(leader, done({0, 0}, PeerId{4}));
  peer.deliver(PeerId{4}, Take{1, 2});
  peer.deliver(leader, Missing{3, {7}});
  CHECK(count_facts<agents::TaskCompleted>(peer) == 0);
  CHECK(peer.sent<Portion>().empty());
}

}  // namespace rhizome::air_traffic_queue_test
