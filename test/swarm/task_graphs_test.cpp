// Tasks that need each other, under all schedulers that take them.
#include <doctest/doctest.h>

#include <string>

#include "scenarios/experiment/conditions.hpp"
#include "scenarios/text/input_error.hpp"
#include "test/support/experiments.hpp"

namespace rhizome::task_graphs_test {

namespace {

const std::string matrix = R"(
network.latency = "constant"
network.delay = "5ms"
peers.count = 10
workload = { kind = "matrix", dims = 8, tg_prob_connected = 0.4, independent = 20 }
engine.kind = "virtual"
)";

const std::string takers =
    test::schedulers({"organic-grid", "air-traffic", "hybrid", "round-robin", "vector"});
constexpr std::size_t all_takers = 5;

// The matrix that a run of that repetition had.
agents::Job graph_of(const std::string& text, std::uint32_t repetition) {
  const auto scenario = scenarios::parse_scenario(text, "test.toml").front().scenario;
  const auto around =
      scenarios::make_surroundings(scenario, scenarios::repetition_seed(scenario, repetition));
  return *around.world.arrivals()->next();
}

// No task began before all that it needs were done, and all are done.
void check_order(const scenarios::Outcome& outcome, const agents::Job& job) {
  for (const agents::Dependency& edge : job.dependencies)
    CHECK(outcome.tasks.at(edge.task).started_at >= outcome.tasks.at(edge.needs).completed_at);
  CHECK(test::metric(outcome, "open_tasks") == 0);
  CHECK(test::metric(outcome, "completed") == 8 * 8 + 20);
}

}  // namespace

TEST_CASE("no task begins before all are done that it needs, whoever schedules them") {
  const agents::Job job = graph_of(matrix + takers, 0);
  REQUIRE(job.dependencies.size() > 20);
  for (std::size_t scheduler = 0; scheduler < all_takers; ++scheduler) {
    const auto outcome = test::run_scenario(matrix + takers, 0, scheduler);
    INFO("scheduler " << outcome.identity.label);
    test::check_sound(outcome);
    check_order(outcome, job);
    CHECK(test::metric(outcome, "lower_bound") <= test::metric(outcome, "makespan"));
  }
}

TEST_CASE("no task of a graph is lost where peers crash and messages are lost and doubled") {
  const std::string bad = matrix + R"(
network.loss = 0.05
network.duplication = 0.05
faults = { crash_share = 0.2, crash_until = "1s", restart_after = "500ms" }
)" + test::schedulers({"organic-grid", "air-traffic", "hybrid", "vector"});
  for (std::uint32_t repetition = 0; repetition < 4; ++repetition)
    for (std::size_t scheduler = 0; scheduler < 4; ++scheduler) {
      const auto outcome = test::run_scenario(bad, repetition, scheduler);
      INFO("scheduler " << outcome.identity.label << ", repetition " << repetition);
      test::check_sound(outcome);
      check_order(outcome, graph_of(bad, repetition));
    }
}

TEST_CASE("who cannot hold a task back refuses graphs") {
  for (const char* scheduler : {"sparrow", "omniscient"}) {
    try {
      static_cast<void>(test::run_scenario(matrix + test::schedulers({scheduler})));
      FAIL_CHECK(scheduler << " takes a graph");
    } catch (const scenarios::InputError& error) {
      CHECK(std::string(error.what()).find(scheduler) != std::string::npos);
    }
  }
}

}  // namespace rhizome::task_graphs_test
