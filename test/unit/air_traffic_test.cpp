#include "agents/air_traffic/air_traffic.hpp"

#include <doctest/doctest.h>

#include "test/support/lone_peer.hpp"
#include "test/support/small_world.hpp"

namespace rhizome {

using agents::AirTraffic;
using core::PeerId;
using test::LonePeer;
using test::small_world;
using namespace agents::traffic;

namespace {

// In a world of four with one group: the queue, the leader and its two workers.
constexpr PeerId queue{0};
constexpr PeerId leader{1};
constexpr PeerId worker{2};
constexpr PeerId other_worker{3};

Options one_group() {
  Options options;
  options.leaders = 1;
  return options;
}

LonePeer<AirTraffic> started(PeerId id, const agents::World& world, const Options& options) {
  LonePeer<AirTraffic> peer(
      id, [&](core::Peer& bare) { agents::air_traffic().equip(bare, options, world); });
  peer.start();
  return peer;
}

}  // namespace

TEST_CASE("a leader asks the queue for a job as large as its group") {
  const agents::World world = small_world();
  const auto peer = started(leader, world, one_group());
  REQUIRE(peer.sent<Take>().size() == 1);
  CHECK(peer.sent<Take>().front().first == queue);
  CHECK(peer.sent<Take>().front().second.size == 2);
}

TEST_CASE("the queue moves a job in one message when bundled, and in one per task when not") {
  const agents::World world = small_world({.portions = 3});
  for (const bool bundled : {true, false}) {
    CAPTURE(bundled);
    Options options = one_group();
    options.bundled = bundled;
    auto peer = started(queue, world, options);
    while (peer.facts().empty()) REQUIRE(peer.fire_next());
    peer.deliver(leader, Take{1, 3});
    CHECK(peer.sent<Portion>().size() == (bundled ? 1 : 3));
  }
}

TEST_CASE("the queue gives the largest job that fits the group") {
  agents::World world = small_world({.jobs = 3, .portions = 1});
  const auto grow = [&](std::uint32_t job, std::uint32_t portions) {
    for (std::uint32_t i = 1; i < portions; ++i) {
      world.workload.jobs[job].portions.push_back(world.workload.jobs[job].portions[0]);
      world.workload.jobs[job].portions.back().id.portion = i;
    }
  };
  grow(1, 5);
  grow(2, 2);
  Options options = one_group();
  options.bundled = true;
  auto peer = started(queue, world, options);
  peer.deliver(leader, Take{1, 2});
  REQUIRE(peer.sent<Portion>().size() == 1);
  CHECK(peer.sent<Portion>().front().second.tasks.front().id.job == 2);
  peer.forget();
  peer.deliver(other_worker, Take{1, 4});  // job 1 is too large: the head, which fits
  CHECK(peer.sent<Portion>().front().second.tasks.front().id.job == 0);
}

TEST_CASE("the queue answers a ticket repeated by the next heartbeat with the same job") {
  const agents::World world = small_world({.jobs = 2, .portions = 2});
  Options options = one_group();
  options.bundled = true;
  auto peer = started(queue, world, options);
  peer.deliver(leader, Take{1, 2});
  peer.deliver(leader, Take{1, 2});  // crossed the job on its way
  CHECK(peer.sent<Portion>().size() == 1);
  peer.pass(options.heartbeat());
  peer.deliver(leader, Take{1, 2});
  REQUIRE(peer.sent<Portion>().size() == 2);
  CHECK(peer.sent<Portion>()[0].second.tasks.front().id ==
        peer.sent<Portion>()[1].second.tasks.front().id);
}

TEST_CASE("a leader gives each of its workers a task, and another for each result") {
  const agents::World world = small_world({.portions = 3});
  Options options = one_group();
  options.reorganise = false;
  auto peer = started(leader, world, options);
  const auto& tasks = world.workload.jobs[0].portions;
  const std::uint64_t ticket = peer.sent<Take>().front().second.ticket;
  peer.deliver(queue, Portion{ticket, 0, 3, tasks});
  REQUIRE(peer.sent<Assign>().size() == 2);
  peer.deliver(worker, Done{tasks[0].id, worker});
  CHECK(peer.sent<Assign>().size() == 3);
  REQUIRE(peer.sent<Done>().size() == 1);
  CHECK(peer.sent<Done>().front().first == queue);
  peer.deliver(other_worker, Done{tasks[1].id, other_worker});
  CHECK(peer.sent<Take>().size() == 1);  // one task is still out
  peer.deliver(worker, Done{tasks[2].id, worker});
  CHECK(peer.sent<Take>().size() == 2);
}

TEST_CASE("a merge keeps what a worker of both groups is running") {
  const agents::World world = small_world({.portions = 3, .peers = 5});
  auto peer = started(leader, world, one_group());
  const auto& tasks = world.workload.jobs[0].portions;
  const std::uint64_t ticket = peer.sent<Take>().front().second.ticket;
  constexpr PeerId neighbour{9};
  peer.deliver(neighbour, Linked{});
  peer.deliver(queue, Portion{ticket, 0, 4, tasks});  // four tasks for three workers
  REQUIRE(peer.sent<MergeAsk>().size() == 1);
  peer.deliver(neighbour, MergeRefuse{});
  REQUIRE(peer.sent<Assign>().size() == 3);
  while (peer.sent<MergeAsk>().size() < 2) REQUIRE(peer.fire_next());  // in rounds, it asks again
  peer.deliver(neighbour, MergeGrant{1, 1, {{worker, 1}}, {}});
  CHECK(peer.sent<MergeCommit>().size() == 1);
  for (const auto& [to, assign] : peer.sent<Assign>()) CHECK(to != neighbour);  // none is pending
  peer.deliver(worker, WorkerAlive{1, {}});
  peer.deliver(worker, WorkerAlive{1, {}});  // denied twice, so it was lost on the way
  CHECK(peer.sent<Assign>().size() == 4);
}

TEST_CASE("a leader whose job has gone to another asks for the next") {
  const agents::World world = small_world({.portions = 3});
  auto peer = started(leader, world, one_group());
  const std::uint64_t ticket = peer.sent<Take>().front().second.ticket;
  peer.deliver(queue, Portion{ticket, 0, 2, {world.workload.jobs[0].portions[0]}});
  peer.deliver(queue, Voided{ticket});
  REQUIRE(peer.sent<Take>().size() == 2);
  CHECK(peer.sent<Take>().back().second.ticket == ticket + 1);
}

TEST_CASE("a job smaller than the group splits the rest off, with a leader of its own") {
  const agents::World world = small_world({.portions = 1, .peers = 5});
  auto peer = started(leader, world, one_group());
  const std::uint64_t ticket = peer.sent<Take>().front().second.ticket;
  peer.deliver(queue, Portion{ticket, 0, 1, world.workload.jobs[0].portions});
  CHECK(peer.sent<Lead>().size() == 1);
  CHECK(peer.sent<Assign>().size() == 1);
}

TEST_CASE("a worker executes a task once and repeats its result") {
  const agents::World world = small_world();
  auto peer = started(worker, world, one_group());
  const agents::Task task = world.workload.jobs[0].portions[0];
  peer.deliver(leader, Assign{task});
  peer.deliver(leader, Assign{task});
  REQUIRE(peer.works().size() == 1);
  REQUIRE(peer.complete_next());
  peer.deliver(leader, Assign{task});
  CHECK(peer.works().empty());
  CHECK(peer.sent<Done>().size() == 2);
}

TEST_CASE("a worker that hears nothing of its leader claims the group") {
  const agents::World world = small_world();
  auto peer = started(worker, world, one_group());
  peer.deliver(leader, Roster{2, {{worker, 1}, {other_worker, 1}}, {}});
  for (int i = 0; i < 40 && peer.sent<Follow>().empty(); ++i) REQUIRE(peer.fire_next());
  REQUIRE(peer.sent<Follow>().size() == 1);
  CHECK(peer.sent<Follow>().front().second.leader == worker);
  CHECK(peer.sent<Follow>().front().first == other_worker);
}

}  // namespace rhizome
