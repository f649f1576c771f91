#include "agents/bounds/omniscient.hpp"
#include "agents/schedulers.hpp"

#include <doctest/doctest.h>

#include "test/support/small_world.hpp"

namespace rhizome::omniscient_test {

using namespace std::chrono_literals;
using agents::TaskId;

namespace {

bool never() { return false; }

std::vector<TaskId> tasks_of(const agents::bounds::PlacementPlan& plan, std::uint32_t peer) {
  std::vector<TaskId> tasks;
  for (std::uint32_t job = 0; job < plan.peers.size(); ++job)
    for (std::uint32_t portion = 0; portion < plan.peers[job].size(); ++portion)
      if (plan.at({job, portion}) == core::PeerId{peer}) tasks.push_back({job, portion});
  return tasks;
}

}  // namespace

TEST_CASE("the omniscient plan puts each task where it starts first, ties to the lowest address") {
  auto world = test::small_world({.portions = 4, .peers = 2});
  world.workload.jobs[0].portions[0].duration = 1s;
  world.settle();
  const auto plan = agents::bounds::plan_for(world, 0s, never);
  CHECK(tasks_of(plan, 0) == std::vector<TaskId>{{0, 0}});
  CHECK(tasks_of(plan, 1) == std::vector<TaskId>{{0, 1}, {0, 2}, {0, 3}});
  CHECK(plan.end == core::Time{} + 1s);
}

TEST_CASE("the omniscient plan keeps the order of arrival on a peer, and the room of the peer") {
  auto world = test::small_world({.portions = 3, .peers = 2});
  world.capacities[1].slots = 2;
  world.workload.jobs[0].portions[1].cpus = 2;  // fits peer 1 only, as nothing else runs there
  world.settle();
  const auto plan = agents::bounds::plan_for(world, 0s, never);
  CHECK(tasks_of(plan, 0) == std::vector<TaskId>{{0, 0}, {0, 2}});
  CHECK(tasks_of(plan, 1) == std::vector<TaskId>{{0, 1}});
}

TEST_CASE("no task of the omniscient plan starts before the scheduler has reacted to it") {
  const auto world = test::small_world({.portions = 1, .peers = 2});
  CHECK(agents::bounds::plan_for(world, 40ms, never).end == core::Time{} + 140ms);
}

TEST_CASE("one plan serves a thousand peers, and is given up when the run is to stop") {
  const auto world = test::small_world({.portions = 40, .peers = 1000});
  const agents::Scheduler scheduler = agents::omniscient();
  const auto options = scheduler.defaults();
  int asked = 0;
  const auto run = scheduler.prepare(options, world, [&] { return ++asked < 0; });
  for (std::uint32_t i = 0; i < 1000; ++i) {
    core::Peer peer(core::PeerId{i}, {}, 1);
    run.equip(peer);
  }
  CHECK(asked == 40);
  asked = 0;
  static_cast<void>(scheduler.prepare(options, world, [&] { return ++asked == 3; }));
  CHECK(asked == 3);
}

TEST_CASE("a plan that was given up still says of every task where it may enter") {
  const auto world = test::small_world({.jobs = 2, .portions = 2});
  const auto plan = agents::bounds::plan_for(world, 0s, [] { return true; });
  CHECK(plan.at({0, 0}) == core::PeerId{0});
  CHECK(plan.at({1, 1}) == core::PeerId{0});
}

}  // namespace rhizome::omniscient_test
