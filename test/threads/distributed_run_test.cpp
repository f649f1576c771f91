// Runs on threads that several processes do together, here of one: the results at process 0.
#include <doctest/doctest.h>

#include <thread>
#include <vector>

#include "scenarios/experiment/distributed_run.hpp"
#include "scenarios/experiment/experiment.hpp"
#include "scenarios/format/parser.hpp"
#include "test/support/meshes.hpp"

namespace rhizome::scenarios::distributed_run_test {

namespace {

std::vector<Cell> small_cells() {
  return parse_scenario(
      "peers.count = 12\nworkload.jobs = 6\nworkload.portions = 4\nengine.kind = \"threads\"\n"
      "engine.time_limit = \"30s\"\nrun.repetitions = 2\n[[scheduler]]\nuse = \"organic-grid\"\n",
      "s.toml");
}

// The outcomes of the runs of three processes.
std::vector<Outcome> done_by_three(const std::vector<Cell>& cells) {
  test::Processes processes(3);
  std::vector<std::thread> others;
  for (const std::size_t rank : {1U, 2U})
    others.emplace_back([&, rank] {
      DistributedRun distributed_run(processes[rank], {.placing = Placing::round_robin});
      CHECK(distributed_run.follow(cells, nullptr));
    });
  std::vector<Outcome> outcomes;
  DistributedRun distributed_run(processes[0], {.placing = Placing::round_robin});
  const ExperimentHooks hooks{
      .outcome = [&](Outcome&& outcome) { outcomes.push_back(std::move(outcome)); }};
  CHECK(run_experiment(cells, hooks, {.distributed_run = &distributed_run}));
  distributed_run.dismiss();
  for (std::thread& other : others) other.join();
  return outcomes;
}

}  // namespace

TEST_CASE("packets that cross are counted at both ends, for each pair of processes, run by run") {
  const std::vector<Cell> cells = small_cells();
  const std::vector<Outcome> outcomes = done_by_three(cells);
  REQUIRE(outcomes.size() == 2);
  for (const Outcome& outcome : outcomes) {
    CHECK(outcome.violations.empty());
    REQUIRE(outcome.passages.size() == 6);
    CHECK(outcome.passages.front().from == "process 0 on here");
    CHECK(outcome.passages.front().to == "process 1 on here");
    CHECK(outcome.passages.back().from == "process 2 on here");
    CHECK(outcome.passages.back().to == "process 1 on here");
    std::uint64_t crossed = 0;
    for (const core::Passage& passage : outcome.passages) {
      CHECK(passage.handed_over == passage.received);
      crossed += passage.received;
    }
    CHECK(crossed > 0);
  }
}

}  // namespace rhizome::scenarios::distributed_run_test
