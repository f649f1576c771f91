// Schedulers among peers that come and go all the time.
#include <doctest/doctest.h>

#include <string>

#include "test/support/experiments.hpp"

namespace rhizome {

using test::check_sound;
using test::metric;
using test::run_scenario;

namespace {

const std::string base = R"(
peers.count = 60
workload.jobs = 60
engine.kind = "virtual"
engine.time_limit = "5min"
engine.grace = "30s"
[[scheduler]]
use = "organic-grid"
[[scheduler]]
use = "air-traffic"
[[scheduler]]
use = "hybrid"
[[scheduler]]
use = "sparrow"
detector_round = "500ms"
audit_after = "5s"
)";
constexpr std::size_t schedulers = 4;

// Nearly every peer is gone once before the work is done, and half of them at the same time.
const std::string churn = R"(
[[faults.mass]]
at = "2s"
share = 0.5
restart_after = "1s"
[faults.lifetimes]
distribution = "exponential"
mean = "6s"
downtime = "exponential"
downtime_mean = "1s"
)";

void check_twenty(const scenarios::Overrides& overrides = {}) {
  for (std::size_t scheduler = 0; scheduler < schedulers; ++scheduler)
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
      const auto outcome = run_scenario(base + churn, seed, scheduler, overrides);
      check_sound(outcome);
      CHECK(metric(outcome, "completed") == 60 * 18);
      CHECK(outcome.faults.size() > 30);
    }
}

}  // namespace

TEST_CASE("no task is lost under exponential lifetimes and a mass failure") { check_twenty(); }

TEST_CASE("no task is lost under heavy-tailed lifetimes and a mass failure") {
  check_twenty({.command_line = {"faults.lifetimes.distribution=weibull",
                                 "faults.lifetimes.downtime=pareto"}});
}

TEST_CASE("no task is lost where peers leave in good order") {
  check_twenty({.command_line = {"faults.lifetimes.ends_by=leave"}});
}

TEST_CASE("peers that join late find work, and the run is sound") {
  std::string joins;
  for (int peer = 0; peer < 60; peer += 2)
    joins +=
        "[[faults.event]]\nat = \"1500ms\"\nkind = \"join\"\npeer = " + std::to_string(peer) + "\n";
  for (std::size_t scheduler = 0; scheduler < schedulers; ++scheduler)
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
      const auto outcome = run_scenario(base + joins, seed, scheduler);
      if (outcome.faults.empty()) continue;
      check_sound(outcome);
    }
}

// The cut itself is the link's, whose tests are in impairment_test.cpp.
TEST_CASE("a partition that heals costs time and loses no task") {
  const std::string cut = "[[network.partition]]\nfrom = \"1s\"\nuntil = \"3s\"\nshare = 0.4\n";
  for (std::size_t scheduler = 0; scheduler < schedulers; ++scheduler) {
    double cost = 0;
    for (std::uint32_t seed = 0; seed < 10; ++seed) {
      const auto whole = run_scenario(base, seed, scheduler);
      const auto torn = run_scenario(base + cut, seed, scheduler);
      check_sound(torn);
      CHECK(metric(torn, "completed") == 60 * 18);
      cost += metric(torn, "makespan") - metric(whole, "makespan");
    }
    CHECK(cost > 0);
  }
}

}  // namespace rhizome
