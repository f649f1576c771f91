// Whole runs against the closed forms of queueing theory.
#include <doctest/doctest.h>

#include <vector>

#include "test/support/experiments.hpp"
#include "tools/compare/statistics.hpp"
#include "tools/reproduce/queues.hpp"

namespace rhizome::queues_test {

using test::check_sound;
using test::metric;
using test::run_scenario;

namespace {

// Five peers of one slot at a load of one half, without delays, for 4,000 services each.
const std::string base = R"(
peers.count = 5
peers.speed_min = 1
peers.speed_max = 1
graph.kind = "k-out"
graph.out_degree = 4
workload.jobs = 10000
workload.portions = 1
workload.portion_time = "1s"
workload.portion_distribution = "exponential"
workload.arrivals = "exponential"
workload.spacing = "400ms"
engine.kind = "virtual"
engine.time_limit = "10h"
engine.sample_every = "1h"
[[scheduler]]
use = "sparrow"
sampling = "random"
view_size = 4
shuffle_period = "0s"
detector_round = "1000000s"
virtual_nodes = 1000
[[scheduler]]
use = "omniscient"
)";

constexpr double load = 0.5;
constexpr double services = 4000;

// The interval of the mean, which misses the truth once in a thousand times.
tools::Estimate measure(const std::string& name, std::size_t scheduler) {
  std::vector<double> means;
  for (std::uint32_t repetition = 0; repetition < 30; ++repetition) {
    const auto outcome = run_scenario(base, repetition, scheduler);
    check_sound(outcome);
    means.push_back(metric(outcome, name));
  }
  return tools::estimate_mean(means, 0.999);
}

}  // namespace

// The law is for a queue in its steady state; the shortfall of a run that starts empty is
// subtracted.
TEST_CASE("blind placement waits as M/M/1 does, within the interval of 30 runs") {
  const tools::Estimate wait = measure("mean_queueing", 0);
  const double law = tools::mm1_wait(load) - tools::mm1_shortfall(load) / services;
  CAPTURE(wait.value);
  CHECK(wait.interval->contains(law));
  CHECK(wait.interval->high - wait.interval->low < 0.1 * law);
}

TEST_CASE("a scheduler that knows everything waits as M/M/5 does, within the interval of 30 runs") {
  const tools::Estimate wait = measure("mean_queueing", 1);
  CAPTURE(wait.value);
  CHECK(wait.interval->contains(tools::mmn_wait(5, load)));
}

}  // namespace rhizome::queues_test
