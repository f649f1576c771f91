// Whole runs of a server against the laws of M/G/1 under each discipline.
#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "test/support/experiments.hpp"
#include "tools/compare/statistics.hpp"

namespace rhizome::disciplines_test {

using test::check_sound;
using test::metric;
using test::run_scenario;

namespace {

// One dispatcher that is no server, and one server, at a load of .6, for 20,000 tasks.
constexpr double load = 0.6;
const std::string base = R"(
peers.count = 2
peers.speed_min = 1
peers.speed_max = 1
workload.jobs = 20000
workload.portions = 1
workload.portion_time = "1s"
peers.source = "fastest"
network.latency = "constant"
network.delay = "0s"
workload.arrivals = "exponential"
workload.spacing = "1666666667ns"
engine.kind = "virtual"
engine.time_limit = "100h"
engine.sample_every = "1h"
[[scheduler]]
use = "dispatcher"
policy = "round-robin"
)";

tools::Estimate response(const std::string& discipline, const std::string& sizes) {
  scenarios::Overrides overrides{
      .command_line = {"peers.discipline=\"" + discipline + "\"",
                       "workload.portion_distribution=\"" + sizes + "\""}};
  if (sizes == "uniform") overrides.command_line.emplace_back("workload.jitter=0.99");
  std::vector<double> means;
  for (std::uint32_t repetition = 0; repetition < 16; ++repetition) {
    const auto outcome = run_scenario(base, repetition, 0, overrides);
    check_sound(outcome);
    means.push_back(metric(outcome, "mean_response"));
  }
  return tools::estimate_mean(means, 0.999);
}

// A distribution of sizes of mean 1, by its density up to where it ends.
struct Sizes {
  std::function<double(double)> density;
  double end;
};
const Sizes exponential{[](double x) { return std::exp(-x); }, 40};
// Within .99 of the mean.
const Sizes uniform{[](double x) { return x < 0.01 || x > 1.99 ? 0 : 1 / 1.98; }, 2};

// Integrals of the laws over all sizes up to one size.
struct At {
  double x = 0;
  double below = 0;    // the probability of less
  double first = 0;    // E[X; X < x]
  double second = 0;   // E[X^2; X < x]
  double passage = 0;  // the integral of 1 / (1 - load of sizes below t) up to x
};
double mean_over(const Sizes& sizes, const std::function<double(const At&)>& at_size) {
  constexpr int steps = 200'000;
  const double step = sizes.end / steps;
  At at;
  double mean = 0;
  for (int i = 0; i < steps; ++i) {
    at.x = (i + 0.5) * step;
    const double weight = sizes.density(at.x) * step;
    at.passage += step / (1 - load * at.first);
    mean += weight * at_size(at);
    at.below += weight;
    at.first += weight * at.x;
    at.second += weight * at.x * at.x;
  }
  return mean;
}

// Schrage and Miller 1966.
double srpt(const At& at) {
  const double rest = 1 - load * at.first;
  return load * (at.second + at.x * at.x * (1 - at.below)) / (2 * rest * rest) + at.passage;
}
// Schrage 1967: as if all sizes were cut at this one.
double las(const At& at) {
  const double cut = 1 - load * (at.first + at.x * (1 - at.below));
  const double second = at.second + at.x * at.x * (1 - at.below);
  return load * second / (2 * cut * cut) + at.x / cut;
}
double second_moment(const Sizes& sizes) {
  return mean_over(sizes, [](const At& at) { return at.x * at.x; });
}
// Pollaczek and Khinchine.
double fcfs(const Sizes& sizes) { return 1 + load * second_moment(sizes) / (2 * (1 - load)); }
double ps() { return 1 / (1 - load); }

// A run begins empty and ends, which is a small part of it.
void check(const tools::Estimate& measured, double law) {
  CAPTURE(law);
  CAPTURE(measured.value);
  CHECK(measured.interval->low < law * 1.005);
  CHECK(measured.interval->high > law * 0.995);
  CHECK(measured.interval->high - measured.interval->low < 0.12 * law);
}

}  // namespace

TEST_CASE("first come, first served waits by Pollaczek and Khinchine") {
  check(response("fcfs", "exponential"), fcfs(exponential));
  check(response("fcfs", "uniform"), fcfs(uniform));
}

TEST_CASE("processor sharing responds alike whatever the distribution of sizes") {
  check(response("ps", "exponential"), ps());
  check(response("ps", "uniform"), ps());
}

TEST_CASE("the shortest remaining task first responds by Schrage and Miller") {
  check(response("srpt", "exponential"), mean_over(exponential, srpt));
  check(response("srpt", "uniform"), mean_over(uniform, srpt));
}

TEST_CASE("the least attained service first responds by Schrage's integral") {
  check(response("las", "exponential"), mean_over(exponential, las));
  check(response("las", "uniform"), mean_over(uniform, las));
}

}  // namespace rhizome::disciplines_test
