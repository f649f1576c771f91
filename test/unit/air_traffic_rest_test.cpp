// Groups with nothing to watch, which give fewer signs of life.
#include <doctest/doctest.h>

#include "agents/facts.hpp"
#include "test/support/air_traffic.hpp"

namespace rhizome::air_traffic_rest_test {

using core::PeerId;
using test::Controller;
using test::groups;
using test::let_pass;
using test::queue;
using test::small_world;
using test::started;
using namespace agents::traffic;
using namespace test::one_group;
namespace {

constexpr std::uint32_t fewer = 8;

Options resting() {
  Options options = groups(1);
  options.reorganise = false;
  options.rest = fewer;
  return options;
}

// A leader whose queue and workers live for so many heartbeats.
void live(Controller& peer, const Options& options, std::uint32_t beats) {
  for (std::uint32_t i = 0; i < beats; ++i) {
    let_pass(peer, options.heartbeat());
    peer.deliver(queue, QueueAlive{});
    for (const PeerId id : {worker, second_worker, third_worker})
      peer.deliver(id, WorkerAlive{1, 1, {}});
  }
}

template <class M>
std::size_t sent_to(const Controller& peer, PeerId id) {
  const auto all = peer.sent<M>();
  return static_cast<std::size_t>(
      std::count_if(all.begin(), all.end(), [id](const auto& item) { return item.first == id; }));
}

// How often the worker was told that it may rest.
std::size_t rests(const Controller& peer) {
  const auto all = peer.sent<Steady>();
  return static_cast<std::size_t>(std::count_if(all.begin(), all.end(), [](const auto& item) {
    return item.first == worker && item.second.rest;
  }));
}

Controller calm_leader(const test::World& world, const Options& options) {
  auto peer = started(leader, world, options);
  live(peer, options, 16);
  return peer;
}

// A worker whose leader rests.
Controller calm_worker(const test::World& world, const Options& options) {
  auto peer = started(worker, world, options);
  peer.deliver(leader, Roster{1, {{worker, 1}, {second_worker, 1}}, {}, {}});
  peer.deliver(leader, Steady{1, {}, true});
  let_pass(peer, options.heartbeat());  // timers armed earlier
  return peer;
}

}  // namespace

TEST_CASE("a group in which nothing happens is told so four times, and then has fewer signs") {
  const test::World world = small_world({.peers = 5});
  const Options options = resting();
  auto peer = calm_leader(world, options);
  const std::size_t told = rests(peer);
  CHECK(told >= 4);
  const std::size_t signs = sent_to<Steady>(peer, worker);
  const std::size_t rosters = sent_to<Roster>(peer, worker);
  CHECK(rosters >= 4);
  live(peer, options, 5 * fewer);
  CHECK(rests(peer) - told == 5);
  CHECK(sent_to<Steady>(peer, worker) - signs == 5);
  CHECK(sent_to<Roster>(peer, worker) == rosters);
  CHECK(sent_to<LeaderAlive>(peer, queue) >= 16 + 5 * fewer);
}

TEST_CASE("a group that is not to rest never does") {
  const test::World world = small_world({.peers = 5});
  Options options = resting();
  options.rest = 1;
  auto peer = calm_leader(world, options);
  live(peer, options, 32);
  CHECK(peer.sent<Steady>().empty());
  CHECK(sent_to<Roster>(peer, worker) >= 32);
}

TEST_CASE("a busy group does not rest, and its roster is sent whole for as long as it is news") {
  const test::World world = small_world({.peers = 5});
  const Options options = resting();
  auto peer = started(leader, world, options);
  peer.deliver(
      queue,
      Portion{peer.sent<Take>().back().second.ticket, 0, 1, {world.workload.jobs[0].portions[0]}});
  const agents::TaskId task = world.workload.jobs[0].portions[0].id;
  for (int i = 0; i < 32; ++i) {
    let_pass(peer, options.heartbeat());
    peer.deliver(queue, QueueAlive{});
    for (const PeerId id : {worker, second_worker, third_worker})
      peer.deliver(id, WorkerAlive{1, 1, {task}});
  }
  CHECK(sent_to<Roster>(peer, worker) >= 4);
  CHECK(sent_to<Roster>(peer, worker) <= 6);
  CHECK(sent_to<Steady>(peer, worker) >= 24);
  CHECK(rests(peer) == 0);
}

TEST_CASE("work, news and a silent queue wake a group") {
  const test::World world = small_world({.peers = 5});
  const Options options = resting();
  for (const std::string_view cause : {"work", "work that is soon done", "news", "silence"}) {
    CAPTURE(cause);
    auto peer = calm_leader(world, options);
    const auto awake = [&] {
      return sent_to<Roster>(peer, worker) + sent_to<Steady>(peer, worker) - rests(peer);
    };
    const std::size_t before = awake();
    if (cause.starts_with("work"))
      peer.deliver(
          queue,
          Portion{
              peer.sent<Take>().back().second.ticket, 0, 1, {world.workload.jobs[0].portions[0]}});
    if (cause == "work that is soon done")  // before its leader looks again
      for (const auto& [to, assign] : peer.sent<Assign>())
        peer.deliver(to, Done{{{{assign.tasks.front().id}, to}}});
    if (cause == "news") peer.deliver(queue, Neighbour{third_worker});
    const auto beats = cause == "silence" ? 6 : 1;
    for (int i = 0; i < beats; ++i) {
      let_pass(peer, options.heartbeat());
      for (const PeerId id : {worker, second_worker, third_worker})
        peer.deliver(id, WorkerAlive{1, 1, {}});
    }
    CHECK(awake() > before);
  }
}

TEST_CASE("no peer is taken for dead because a group rests or wakes up") {
  const test::World world = small_world({.peers = 5});
  const Options options = resting();
  auto peer = calm_leader(world, options);
  for (int i = 0; i < 3; ++i) {
    let_pass(peer, options.timeout);
    peer.deliver(queue, QueueAlive{});
  }
  const agents::Task task = world.workload.jobs[0].portions[0];
  peer.deliver(queue, Portion{peer.sent<Take>().back().second.ticket, 0, 1, {task}});
  let_pass(peer, options.timeout * 3 / 2);
  CHECK(peer.sent<Take>().back().second.size == 3);
  CHECK(test::count_facts<agents::TaskReissued>(peer) == 0);
  let_pass(peer, options.timeout);  // they were told, and still say nothing
  CHECK(test::count_facts<agents::TaskReissued>(peer) == 1);
}

TEST_CASE("the death of a peer in a group that rests is noticed in the end") {
  const test::World world = small_world({.peers = 5});
  const Options options = resting();
  auto peer = calm_leader(world, options);
  const auto pass = [&](core::Duration time) {
    for (core::Duration past{0}; past < time; past += options.timeout / 2) {
      let_pass(peer, options.timeout / 2);
      peer.deliver(queue, QueueAlive{});
      for (const PeerId id : {second_worker, third_worker}) peer.deliver(id, WorkerAlive{1, 1, {}});
    }
  };
  pass(options.slow_timeout() - options.timeout);
  CHECK(peer.sent<LeaderAlive>().back().second.size == 3);
  pass(2 * options.timeout);
  CHECK(peer.sent<LeaderAlive>().back().second.size == 2);
}

TEST_CASE("a worker whose leader rests gives as many fewer signs of life") {
  const test::World world = small_world({.peers = 5});
  const Options options = resting();
  auto peer = calm_worker(world, options);
  peer.deliver(leader, Steady{1, {}, true});
  const std::size_t before = sent_to<WorkerAlive>(peer, leader);
  for (std::uint32_t i = 0; i < 4; ++i) {
    let_pass(peer, options.slow_heartbeat());
    peer.deliver(leader, Steady{1, {}, true});
  }
  CHECK(sent_to<WorkerAlive>(peer, leader) - before == 4);
}

TEST_CASE("a worker that is woken shows within a heartbeat that it lives") {
  const test::World world = small_world({.peers = 5});
  const Options options = resting();
  for (const bool work : {false, true}) {
    auto peer = calm_worker(world, options);
    let_pass(peer, options.heartbeat());
    const std::size_t before = sent_to<WorkerAlive>(peer, leader);
    if (work)
      peer.deliver(leader, Assign{{world.workload.jobs[0].portions[0]}});
    else
      peer.deliver(leader, Roster{1, {{worker, 1}}, {}, {}});
    let_pass(peer, options.heartbeat());
    CHECK(sent_to<WorkerAlive>(peer, leader) > before);
  }
}

TEST_CASE("a worker whose leader is busy does not rest, though it has no work itself") {
  const test::World world = small_world({.peers = 5});
  const Options options = resting();
  auto peer = calm_worker(world, options);
  peer.deliver(leader, Steady{1, {}, false});
  const std::size_t before = sent_to<WorkerAlive>(peer, leader);
  let_pass(peer, 3 * options.heartbeat());
  CHECK(sent_to<WorkerAlive>(peer, leader) - before == 3);
}

TEST_CASE("a leader that rests is taken for dead as many times later") {
  const test::World world = small_world({.peers = 5});
  const Options options = resting();
  auto peer = calm_worker(world, options);
  let_pass(peer, options.slow_timeout() - options.slow_heartbeat());
  CHECK(peer.protocol().leader() == nullptr);
  let_pass(peer, 2 * options.slow_heartbeat());
  CHECK(peer.protocol().leader() != nullptr);
}

TEST_CASE("only a worker's own leader, in the present epoch, can tell it to rest") {
  const test::World world = small_world({.peers = 5});
  const Options options = resting();
  for (const PeerId from : {leader, third_worker}) {
    auto peer = started(worker, world, options);
    peer.deliver(leader, Roster{5, {{worker, 1}}, {}, {}});
    peer.deliver(from, Steady{from == leader ? 4U : 5U, {}, true});
    let_pass(peer, 3 * options.heartbeat());
    CHECK(sent_to<WorkerAlive>(peer, leader) == 3);
  }
}

TEST_CASE("a worker at rest that misses a sign gives its own as often as ever: it may be the end") {
  const test::World world = small_world({.peers = 5});
  const Options options = resting();
  auto peer = calm_worker(world, options);
  const std::size_t before = sent_to<WorkerAlive>(peer, leader);
  let_pass(peer, options.slow_heartbeat() + 4 * options.heartbeat());
  CHECK(sent_to<WorkerAlive>(peer, leader) - before >= 4);
  CHECK(peer.protocol().follows() == leader);
}

TEST_CASE("a worker at rest does not doubt the queue: its leader hears it") {
  const test::World world = small_world({.peers = 5});
  const Options options = resting();
  auto peer = calm_worker(world, options);
  let_pass(peer, options.patience() + options.timeout);
  CHECK(peer.sent<Doubt>().empty());
}

}  // namespace rhizome::air_traffic_rest_test
