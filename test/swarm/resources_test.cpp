// Resources that a scenario names, under every scheduler.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>

#include "agents/scheduler.hpp"
#include "scenarios/experiment/conditions.hpp"
#include "scenarios/text/input_error.hpp"
#include "test/support/catalogue.hpp"
#include "test/support/experiments.hpp"

namespace rhizome::resources_test {

using test::check_sound;
using test::metric;
using test::run_scenario;

namespace {

// Peers are equally fast and have more processors than gpus.
std::string scenario(std::string_view scheduler) {
  return "peers = { count = 12, slots = 4, speed_min = 1, speed_max = 1, resources.gpu = 2 }\n"
         "workload = { jobs = 20, portions = 12, spacing = \"20ms\", resources.gpu = 1 }\n"
         "engine.kind = \"virtual\"\n[[scheduler]]\nuse = \"" +
         std::string(scheduler) + "\"\n";
}

// The most tasks that any peer worked on at a time.
std::ptrdiff_t most_at_once(const scenarios::Outcome& outcome) {
  std::ptrdiff_t most = 0;
  for (const auto& task : outcome.tasks)
    most =
        std::max(most, std::count_if(outcome.tasks.begin(), outcome.tasks.end(),
                                     [&](const scenarios::TaskOutcome& other) {
                                       return other.executor == task.executor &&
                                              other.started_at <= task.started_at &&
                                              task.started_at < other.started_at + other.duration;
                                     }));
  return most;
}

}  // namespace

TEST_CASE("under every scheduler as many tasks run at a peer as it has gpus for") {
  for (const agents::Scheduler* scheduler : test::ready_schedulers()) {
    if (scheduler->name == "overlay-only") continue;  // which does all work at its source
    CAPTURE(scheduler->name);
    const auto outcome = run_scenario(scenario(scheduler->name));
    check_sound(outcome);
    CHECK(metric(outcome, "completed") == 240);
    CHECK(most_at_once(outcome) == 2);
  }
}

TEST_CASE("a task that needs more than any peer has is refused under every scheduler alike") {
  for (const agents::Scheduler* scheduler : test::ready_schedulers()) {
    CAPTURE(scheduler->name);
    CHECK_THROWS_WITH_AS(
        run_scenario(scenario(scheduler->name), 0, 0,
                     {.command_line = {"workload.resources.gpu=2.5"}}),
        doctest::Contains("--set workload.resources.gpu=2.5: task 0.0 fits no peer"),
        scenarios::InputError);
  }
}

TEST_CASE("where only some peers have gpus, tasks that need one run only there") {
  for (const std::string scheduler : {"sparrow", "omniscient"})
    for (std::uint32_t seed = 0; seed < 5; ++seed) {
      CAPTURE(scheduler);
      const scenarios::Overrides some{
          .command_line = {"peers.resources.gpu_share=0.4", "workload.resources.gpu_share=0.5"}};
      const auto cells = scenarios::parse_scenario(scenario(scheduler), "test.toml", some);
      const auto& conditions = cells.front().scenario;
      const auto world =
          scenarios::make_surroundings(conditions, scenarios::repetition_seed(conditions, seed))
              .world;
      const auto outcome = scenarios::run_once(cells.front(), 0, seed, {}, nullptr);
      check_sound(outcome);
      std::map<agents::TaskId, agents::Task> tasks;
      const auto arrivals = world.arrivals();
      while (const auto job = arrivals->next())
        for (const agents::Task& task : job->portions) tasks.emplace(task.id, task);
      for (const auto& task : outcome.tasks) {
        const agents::Task& asked = tasks.at(task.id);
        const agents::Capacity& peer = world.capacities[task.executor.value];
        REQUIRE(agents::resources_of(asked).within(peer.room()));
      }
    }
}

}  // namespace rhizome::resources_test
