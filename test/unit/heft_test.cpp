// The bound with all knowledge for tasks that need each other, worked out by hand; and the calendar
// that it and no other puts tasks between others with.
#include "agents/bounds/heft.hpp"
#include "agents/schedulers.hpp"

#include <doctest/doctest.h>

#include "agents/bounds/omniscient.hpp"
#include "agents/bounds/planned.hpp"
#include "test/support/small_world.hpp"

namespace rhizome::heft_test {

using namespace std::chrono_literals;
using agents::Dependency;
using agents::bounds::Calendar;
using agents::bounds::heft_plan;
using agents::bounds::HeftOptions;
using agents::bounds::PlacementPlan;
using core::PeerId;
using core::Time;

namespace {

bool never() { return false; }
constexpr Time at(core::Duration since) { return Time{} + since; }

// One job of tasks that take so long, on peers of these speeds.
test::World world_of(const std::vector<core::Duration>& durations, std::vector<Dependency> edges,
                     const std::vector<double>& speeds = {1, 1}) {
  auto world = test::small_world({.portions = static_cast<std::uint32_t>(durations.size()),
                                  .peers = static_cast<std::uint32_t>(speeds.size())});
  for (std::size_t i = 0; i < speeds.size(); ++i) world.capacities[i].speed = speeds[i];
  for (std::size_t i = 0; i < durations.size(); ++i)
    world.workload.jobs[0].portions[i].duration = durations[i];
  world.workload.jobs[0].dependencies = std::move(edges);
  world.settle();
  return world;
}

agents::Task lasting(core::Duration duration, std::uint32_t cpus = 1) {
  return {.duration = duration, .cpus = cpus};
}

// Two short tasks before the head of a chain that is the critical path.
test::World late_chain() { return world_of({1s, 1s, 1s, 5s}, {{.task = 3, .needs = 2}}); }

}  // namespace

TEST_CASE("a calendar finds a long enough gap between earlier bookings") {
  Calendar calendar({.slots = 1});
  CHECK(calendar.book(lasting(1s), at(4s)) == at(5s));
  CHECK(calendar.earliest(lasting(4s), at(0s)) == at(0s));
  CHECK(calendar.earliest(lasting(4s), at(1ms)) == at(5s));
  CHECK(calendar.earliest(lasting(5s), at(0s)) == at(5s));
  CHECK(calendar.earliest(lasting(1s), at(4500ms)) == at(5s));
  calendar.book(lasting(4s), at(0s));
  CHECK(calendar.earliest(lasting(1ms), at(0s)) == at(5s));
}

TEST_CASE("a calendar has as many tasks at a time as there are slots, memory and resources for") {
  Calendar calendar({.speed = 2, .slots = 3, .memory = 2});
  CHECK(calendar.book(lasting(4s, 2), at(0s)) == at(2s));
  CHECK(calendar.earliest(lasting(1s), at(0s)) == at(0s));
  CHECK(calendar.earliest(lasting(1s, 2), at(0s)) == at(2s));
  CHECK(calendar.earliest({.duration = 1s, .memory = 2}, at(0s)) == at(0s));
  calendar.book({.duration = 1s, .memory = 1.5}, at(500ms));
  CHECK(calendar.earliest({.duration = 1s, .memory = 1}, at(0s)) == at(0s));
  CHECK(calendar.earliest({.duration = 1100ms, .memory = 1}, at(0s)) == at(1s));
  CHECK_FALSE(calendar.earliest(lasting(1s, 4), at(0s)).has_value());
  CHECK_FALSE(calendar.earliest({.duration = 1s, .memory = 3}, at(0s)).has_value());
}

TEST_CASE("an upward rank is the longest way to the end, in mean times") {
  auto world = world_of(
      {1s, 2s, 3s, 8s},
      {{.task = 1, .needs = 0}, {.task = 2, .needs = 1, .bytes = 200}, {.task = 3, .needs = 0}},
      {1, 2});
  const agents::Job& job = world.workload.jobs[0];
  const auto free = agents::bounds::upward_ranks(job, world, {});
  CHECK(free == std::vector<double>{0.75 + 6, 1.5 + 2.25, 2.25, 6});
  // Half of all pairs of peers are one peer, which hands nothing over.
  const auto paid = agents::bounds::upward_ranks(job, world, {.latency = 1s, .bandwidth = 100});
  CHECK(paid == std::vector<double>{0.75 + 0.5 + 6, 1.5 + 1.5 + 2.25, 2.25, 6});
}

TEST_CASE(
    "the task on the longest path goes first, where list scheduling takes the first ready one") {
  const auto world = late_chain();
  const PlacementPlan plan = heft_plan(world, {}, never);
  CHECK(plan.end == at(6s));  // which is the critical path
  CHECK(plan.begins({0, 2}) == at(0s));
  CHECK(plan.begins({0, 3}) == at(1s));
  CHECK(plan.from({0, 1}) == at(0s));  // it may run, and waits
  CHECK(plan.begins({0, 1}) == at(1s));
  CHECK(agents::bounds::plan_for(world, 0s, never).end == at(7s));
}

TEST_CASE("a task goes where it ends first, not where it begins first") {
  const auto world = world_of({4s, 4s, 4s}, {}, {1, 4});
  const PlacementPlan plan = heft_plan(world, {}, never);
  for (const std::uint32_t portion : {0U, 1U, 2U}) CHECK(plan.at({0, portion}) == PeerId{1});
  CHECK(plan.end == at(3s));
}

TEST_CASE("a plan that leads beyond all clocks ends, and begins nothing there") {
  const auto world = world_of({1'000'000h, 1'000'000h, 1'000'000h, 1'000'000h, 1'000'000h}, {});
  const PlacementPlan plan = heft_plan(world, {}, never);
  CHECK(plan.begins({0, 2}) == at(1'000'000h));
  CHECK(plan.begins({0, 4}) == Time::max());
  CHECK(agents::bounds::plan_for(world, 0s, never).end == Time::max());
}

TEST_CASE("tasks that begin at one time keep the planned order, although some take no time") {
  // The second peer is done with task 1 when 2 and 3 begin there.
  const auto world = world_of({3s, 2s, 0s, 1s}, {{.task = 3, .needs = 1}, {.task = 3, .needs = 2}});
  const PlacementPlan plan = heft_plan(world, {}, never);
  CHECK(plan.begins({0, 2}) == at(2s));
  CHECK(plan.begins({0, 3}) == at(2s));
  CHECK(plan.turns.at(1) == std::vector<agents::TaskId>{{0, 1}, {0, 2}, {0, 3}});
}

TEST_CASE("data between tasks cost time only if a rate is given, and only between peers") {
  const std::vector<Dependency> fork{{.task = 1, .needs = 0, .bytes = 300},
                                     {.task = 2, .needs = 0, .bytes = 300}};
  const auto world = world_of({1s, 2s, 2s}, fork);
  CHECK(heft_plan(world, {}, never).end == at(3s));
  CHECK(heft_plan(world, {.latency = 500ms}, never).end == at(3500ms));
  CHECK(heft_plan(world, {.bandwidth = 1000}, never).end == at(3300ms));
  const PlacementPlan dear = heft_plan(world, {.latency = 9s}, never);
  CHECK(dear.end == at(5s));  // all on one peer
  CHECK(dear.at({0, 1}) == dear.at({0, 2}));
}

TEST_CASE("a later job is planned around earlier ones, and not before it comes") {
  auto world = world_of({1s, 1s}, {{.task = 1, .needs = 0}}, {1});
  agents::Job next = world.workload.jobs[0];
  next.id = 1;
  next.arrival = at(500ms);
  for (agents::Task& task : next.portions) task.id.job = 1;
  world.workload.jobs.push_back(next);
  world.settle();
  const PlacementPlan plan = heft_plan(world, {}, never);
  CHECK(plan.begins({0, 1}) == at(1s));
  CHECK(plan.from({1, 0}) == at(500ms));
  CHECK(plan.begins({1, 0}) == at(2s));
  CHECK(plan.end == at(4s));
}

TEST_CASE("HEFT knows the tasks that a task will add, and plans them after it") {
  auto world = world_of({1s, 1s, 2s}, {});
  world.workload.jobs[0].growth = {{.by = 0, .first = 2, .count = 1}};
  world.settle();
  for (const PlacementPlan& plan :
       {heft_plan(world, {}, never), agents::bounds::plan_for(world, 0s, never)}) {
    CHECK(plan.from({0, 2}) == at(1s));
    CHECK(plan.end == at(3s));
  }
}

TEST_CASE("list scheduling lets a task wait for the last that it needs") {
  const auto world = world_of({2s, 1s, 1s}, {{.task = 2, .needs = 0}, {.task = 2, .needs = 1}});
  const PlacementPlan plan = agents::bounds::plan_for(world, 0s, never);
  CHECK(plan.from({0, 2}) == at(2s));
  CHECK(plan.end == at(3s));
  // Orders take their time after that.
  CHECK(agents::bounds::plan_for(world, 100ms, never).end == at(3200ms));
}

TEST_CASE("a plan is given up when the run is to stop, and refuses work that cannot be foreseen") {
  int asked = 0;
  const PlacementPlan plan = heft_plan(late_chain(), {}, [&] { return ++asked == 3; });
  CHECK(asked == 3);
  CHECK(plan.at({0, 3}) == PeerId{0});
  CHECK(plan.from({0, 3}) == Time{});

  const agents::Scheduler scheduler = agents::heft();
  auto world = late_chain();
  CHECK(scheduler.refusal(scheduler.defaults(), world).empty());
  world.shares_processors = true;
  CHECK(scheduler.refusal(scheduler.defaults(), world).find("take what they take") !=
        std::string::npos);
  world.shares_processors = false;
  world.files.used = true;
  CHECK_FALSE(scheduler.refusal(scheduler.defaults(), world).empty());
  world.files.used = false;
  world.live = true;
  CHECK_FALSE(scheduler.refusal(scheduler.defaults(), world).empty());
}

}  // namespace rhizome::heft_test
