#include <doctest/doctest.h>

#include "test/support/effort.hpp"
#include "test/support/experiments.hpp"
#include "test/support/temporary_file.hpp"

namespace rhizome {

using test::check_sound;
using test::metric;
using test::run_scenario;

namespace {

const std::string both = R"(
peers.count = 40
workload.jobs = 30
engine.kind = "virtual"
run.repetitions = 4
[[scheduler]]
use = "organic-grid"
[[scheduler]]
use = "air-traffic"
)";

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

TEST_CASE("an experiment asked to stop says that it is not complete") {
  const auto cells = scenarios::parse_scenario(both, "test.toml");
  const std::atomic<bool> stop{true};
  CHECK_FALSE(scenarios::run_experiment(cells, {}, &stop));
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

}  // namespace rhizome
