#include <doctest/doctest.h>

#include <set>

#include "agents/scheduler.hpp"
#include "scenarios/text/input_error.hpp"
#include "test/support/catalogue.hpp"
#include "test/support/effort.hpp"
#include "test/support/experiments.hpp"
#include "test/support/temporary_file.hpp"

namespace rhizome::experiment_test {

using test::check_sound;
using test::metric;
using test::run_scenario;

namespace {

const std::string both = R"(
peers.count = 40
workload.jobs = 30
engine.kind = "virtual"
run.repetitions = 4
)" + test::schedulers({"organic-grid", "air-traffic"});

}  // namespace

TEST_CASE("the same seed gives the same history and another seed another") {
  for (const std::size_t scheduler : {0U, 1U}) {
    const auto first = run_scenario(both, 0, scheduler);
    const auto again = run_scenario(both, 0, scheduler);
    const auto other = run_scenario(both, 1, scheduler);
    REQUIRE(first.facts.size() > 0);
    REQUIRE(first.facts == again.facts);
    CHECK(metric(first, "makespan") != metric(other, "makespan"));
  }
}

TEST_CASE("two schedulers of one repetition see the same peers and the same jobs") {
  const auto grid = run_scenario(both, 2, 0);
  const auto traffic = run_scenario(both, 2, 1);
  REQUIRE(grid.peers.size() == traffic.peers.size());
  for (std::size_t i = 0; i < grid.peers.size(); ++i)
    CHECK(grid.peers[i].speed == traffic.peers[i].speed);
  for (std::size_t i = 0; i < grid.tasks.size(); ++i)
    CHECK(grid.tasks[i].duration == traffic.tasks[i].duration);
}

// With three peers of one or two slots, the tasks of about every eighth world fit no peer.
TEST_CASE("a late repetition or cell that will be refused is refused before the first run") {
  const auto refused = [](std::vector<std::string> overrides) {
    for (const char* world : {"peers.count=3", "peers.slots_max=2"}) overrides.emplace_back(world);
    const auto cells = scenarios::parse_scenario(both, "test.toml",
                                                 {.environment = "", .command_line = overrides});
    try {
      scenarios::check_beforehand(cells);
    } catch (const scenarios::InputError&) {
      return true;
    }
    return false;
  };
  CHECK_FALSE(refused({"run.repetitions=1", "workload.cpus=2"}));
  CHECK(refused({"run.repetitions=40", "workload.cpus=2"}));
  CHECK_FALSE(refused({"run.repetitions=1", "workload.cpus=[1,2]"}));
  CHECK(refused({"run.repetitions=1", "workload.cpus=[1,3]"}));
}

TEST_CASE("a look at the cells of a sweep ends where its caller has seen enough") {
  const auto cells = scenarios::parse_scenario(
      both, "test.toml", {.environment = "", .command_line = {"peers.count=[10, 11, 12]"}});
  std::set<std::size_t> seen;
  scenarios::check_beforehand(
      cells,
      {.seen = [&](const auto& cell, auto, const auto&) { seen.insert(&cell - cells.data()); },
       .enough = [&] { return seen.size() == 2; }});
  CHECK(seen.size() == 2);
}

TEST_CASE("an experiment hands outcomes over in order though it runs them on all cores") {
  const auto cells = scenarios::parse_scenario(both, "test.toml");
  std::vector<std::string> order;
  const bool complete = scenarios::run_experiment(
      cells, {.outcome = [&](scenarios::Outcome&& outcome) {
        order.push_back(outcome.identity.label + std::to_string(outcome.identity.repetition));
      }});
  CHECK(complete);
  CHECK(order == std::vector<std::string>{"organic-grid0", "air-traffic0", "organic-grid1",
                                          "air-traffic1", "organic-grid2", "air-traffic2",
                                          "organic-grid3", "air-traffic3"});
}

TEST_CASE("a task that fits no peer is refused by every scheduler alike, before anything runs") {
  for (const agents::Scheduler* scheduler : test::ready_schedulers())
    for (const std::string needs : {"workload.cpus=3", "workload.memory=1.5"}) {
      CAPTURE(scheduler->name);
      const std::string text =
          "peers = { count = 4, slots = 2 }\nengine.kind = \"virtual\"\n[[scheduler]]\nuse = \"" +
          std::string(scheduler->name) + "\"\n";
      CHECK_THROWS_WITH_AS(run_scenario(text, 0, 0, {.command_line = {needs}}),
                           doctest::Contains("task 0.0 fits no peer"), scenarios::InputError);
    }
}

TEST_CASE("an open run ends at its time, with tasks open and nothing lost, on both engines") {
  for (const std::string name :
       {"round-robin", "organic-grid", "air-traffic", "hybrid", "sparrow", "omniscient"})
    for (const std::string engine : {"virtual", "threads"}) {
      if (engine == "threads" && name != "round-robin" && name != "sparrow") continue;
      CAPTURE(name);
      CAPTURE(engine);
      const std::string text =
          "peers.count = 8\nworkload = { jobs = 100, portions = 4, portion_time = \"200ms\", "
          "spacing = \"100ms\" }\nrun.duration = \"3s\"\nengine.kind = \"" +
          engine + "\"\n[[scheduler]]\nuse = \"" + name + "\"\n";
      const auto outcome = run_scenario(text);
      check_sound(outcome);
      CHECK(outcome.ending == core::Ending::open);
      CHECK(core::seconds(outcome.ended) >= 3);
      CHECK(outcome.jobs.size() <= 31);  // the last at the very end
      CHECK(metric(outcome, "completed") > 0);
      CHECK(metric(outcome, "open_tasks") > 0);
      if (engine == "virtual") {  // a busy machine may be late with all of it
        CHECK(core::seconds(outcome.ended) < 3.5);
        CHECK(outcome.jobs.size() == 31);
        CHECK(metric(outcome, "completed") > 20);
      }
      CHECK(metric(outcome, "completed") + metric(outcome, "open_tasks") == 124);
    }
}

TEST_CASE("an open run that would not last is refused") {
  const auto run = [&](const std::string& option) {
    return run_scenario(both, 0, 0, {.command_line = {"run.duration=3s", option}});
  };
  CHECK_THROWS_WITH_AS(run("engine.time_limit=3s"),
                       doctest::Contains("must be shorter than engine.time_limit"),
                       scenarios::InputError);
  CHECK_THROWS_WITH_AS(run("workload.jobs=2"), doctest::Contains("longer than its workload"),
                       scenarios::InputError);
}

TEST_CASE("servers that take the shortest job first answer sooner, where there are servers") {
  const std::string text =
      "peers.count = 8\nworkload = { jobs = 240, portions = 1, portion_distribution = "
      "\"exponential\", spacing = \"1ms\" }\nengine.kind = \"virtual\"\n[[scheduler]]\nuse = ";
  const auto response = [&](const std::string& scheduler, const std::string& discipline) {
    const auto outcome = run_scenario(text + '"' + scheduler + '"', 0, 0,
                                      {.command_line = {"peers.discipline=" + discipline}});
    check_sound(outcome);
    CHECK(metric(outcome, "completed") == 240);
    return metric(outcome, "mean_response");
  };
  CHECK(response("round-robin", "sjf") < 0.9 * response("round-robin", "fcfs"));
  CHECK(response("sparrow", "sjf") < response("sparrow", "fcfs"));
  CHECK_THROWS_WITH_AS(response("omniscient", "sjf"),
                       doctest::Contains("peers.discipline has no effect on it"),
                       scenarios::InputError);
}

TEST_CASE("an experiment asked to stop says that it is not complete") {
  const auto cells = scenarios::parse_scenario(both, "test.toml");
  const std::atomic<bool> stop{true};
  CHECK_FALSE(scenarios::run_experiment(cells, {}, {.stop = &stop}));
}

TEST_CASE("shipped scenarios complete every task under every scheduler, seed after seed") {
  for (const std::string file : {"google-sample.toml", "bad-network.toml", "churn.toml"}) {
    CAPTURE(file);
    const auto cells = scenarios::load_scenario(test::shipped("scenarios/" + file));
    for (std::uint32_t repetition = 0; repetition < test::seeds(6); ++repetition)
      for (std::size_t s = 0; s < cells.front().scenario.schedulers.size(); ++s) {
        const auto outcome = scenarios::run_once(cells.front(), s, repetition, {}, nullptr);
        check_sound(outcome);
        CHECK(metric(outcome, "completed") == static_cast<double>(outcome.tasks.size()));
      }
  }
}

}  // namespace rhizome::experiment_test
