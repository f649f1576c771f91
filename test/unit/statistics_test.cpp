#include "tools/compare/statistics.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "core/peer/rng.hpp"

namespace rhizome::scenarios::statistics_test {

using namespace tools;

namespace {

// Student's own data: extra hours of sleep of ten patients under two drugs (Biometrika 6, 1908).
const std::vector<double> first_drug{0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0};
const std::vector<double> second_drug{1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4};

// Student's t of the hypothesis that first - ratio·second has the mean 0.
double t_at(const std::vector<double>& first, const std::vector<double>& second, double ratio) {
  std::vector<double> rest;
  for (std::size_t i = 0; i < first.size(); ++i) rest.push_back(first[i] - ratio * second[i]);
  const double n = static_cast<double>(rest.size());
  return mean_of(rest) / (deviation_of(rest) / std::sqrt(n));
}

}  // namespace

TEST_CASE("quantiles of Student's t agree with the printed tables") {
  CHECK(student_quantile(0.975, 1) == doctest::Approx(12.7062).epsilon(1e-5));
  CHECK(student_quantile(0.975, 2) == doctest::Approx(4.30265).epsilon(1e-5));
  CHECK(student_quantile(0.975, 4) == doctest::Approx(2.77645).epsilon(1e-5));
  CHECK(student_quantile(0.975, 29) == doctest::Approx(2.04523).epsilon(1e-5));
  CHECK(student_quantile(0.95, 10) == doctest::Approx(1.81246).epsilon(1e-5));
  CHECK(student_quantile(0.995, 7) == doctest::Approx(3.49948).epsilon(1e-5));
  CHECK(student_quantile(0.025, 4) == doctest::Approx(-2.77645).epsilon(1e-5));
}

TEST_CASE("mean and deviation of a sample are those of the textbook") {
  const std::vector<double> values{2, 4, 4, 4, 5, 5, 7, 9};
  CHECK(mean_of(values) == doctest::Approx(5));
  CHECK(deviation_of(values) == doctest::Approx(2.13809).epsilon(1e-5));
  CHECK(mean_of({}) == 0);
  CHECK(deviation_of(std::vector<double>{3}) == 0);
}

TEST_CASE("a small spread around a large mean keeps its digits") {
  const std::vector<double> values{1e9 + 1, 1e9 + 2, 1e9 + 3};
  CHECK(deviation_of(values) == doctest::Approx(1).epsilon(1e-9));
}

TEST_CASE("the interval of a mean is that of Student's data") {
  const Estimate estimate = estimate_mean(first_drug, 0.95);
  REQUIRE(estimate.interval.has_value());
  CHECK(estimate.value == doctest::Approx(0.75));
  CHECK(estimate.interval->low == doctest::Approx(-0.5297804).epsilon(1e-6));
  CHECK(estimate.interval->high == doctest::Approx(2.0297804).epsilon(1e-6));
}

TEST_CASE("a single value has no interval") {
  const std::vector<double> one{7};
  CHECK_FALSE(estimate_mean(one, 0.95).interval.has_value());
  CHECK_FALSE(estimate_difference({one, one, true}, 0.95).interval.has_value());
  CHECK_FALSE(estimate_difference({one, first_drug, false}, 0.95).interval.has_value());
  CHECK_FALSE(estimate_ratio({one, one, true}, 0.95).interval.has_value());
}

TEST_CASE("paired and unpaired differences are those published for Student's data") {
  const Estimate paired = estimate_difference({first_drug, second_drug, true}, 0.95);
  CHECK(paired.value == doctest::Approx(-1.58));
  CHECK(paired.interval.value().low == doctest::Approx(-2.4598858).epsilon(1e-7));
  CHECK(paired.interval.value().high == doctest::Approx(-0.7001142).epsilon(1e-7));

  const Estimate welch = estimate_difference({first_drug, second_drug, false}, 0.95);
  CHECK(welch.value == doctest::Approx(-1.58));
  CHECK(welch.interval.value().low == doctest::Approx(-3.3654832).epsilon(1e-7));
  CHECK(welch.interval.value().high == doctest::Approx(0.2054832).epsilon(1e-7));
}

TEST_CASE("at the ends of a ratio's interval Student's t is just at its quantile") {
  std::vector<double> first;
  std::vector<double> second;
  for (std::size_t i = 0; i < first_drug.size(); ++i) {
    first.push_back(first_drug[i] + 20);
    second.push_back(second_drug[i] + 10);
  }
  const Estimate ratio = estimate_ratio({first, second, true}, 0.95);
  REQUIRE(ratio.interval.has_value());
  CHECK(ratio.value == doctest::Approx(20.75 / 12.33));
  const double t = student_quantile(0.975, 9);
  CHECK(t_at(first, second, ratio.interval->low) == doctest::Approx(t));
  CHECK(t_at(first, second, ratio.interval->high) == doctest::Approx(-t));
}

// R: t.test(extra ~ group, data = sleep, paired = TRUE) gives p-value = 0.002833; without pairing
// 0.07939.
TEST_CASE("the p-values of differences are those published for Student's data") {
  CHECK(difference_p_value({first_drug, second_drug, true}) ==
        doctest::Approx(0.002833).epsilon(1e-3));
  CHECK(difference_p_value({first_drug, second_drug, false}) ==
        doctest::Approx(0.07939).epsilon(1e-3));
}

TEST_CASE("a difference without spread is certain, none is none, and one value says nothing") {
  const std::vector<double> low{1, 2, 3};
  const std::vector<double> high{2, 3, 4};
  CHECK(difference_p_value({low, high, true}) == 0);
  CHECK(difference_p_value({low, low, true}) == 1);
  // One seed in five makes all the difference, however small: t is 1 with 4 degrees of freedom.
  const std::vector<double> one{10, 20, 30, 40, 50};
  const std::vector<double> nearly{10.000005, 20, 30, 40, 50};
  CHECK(difference_p_value({nearly, one, true}) == doctest::Approx(0.3739).epsilon(1e-3));
  CHECK(difference_p_value({std::span(low).first(1), std::span(high).first(1), true}) == 1);
}

TEST_CASE("the ratio contains 1 exactly when the difference contains 0") {
  core::Rng rng(11);
  int inside = 0;
  int outside = 0;
  for (int trial = 0; trial < 400; ++trial) {
    std::vector<double> first;
    std::vector<double> second;
    const double shift = rng.uniform(-2, 2);
    for (int i = 0; i < 6; ++i) {
      const double common = rng.normal();
      first.push_back(20 + common + rng.normal() + shift);
      second.push_back(20 + common + rng.normal());
    }
    for (const bool paired : {true, false}) {
      const TwoSamples samples{first, second, paired};
      const bool equal = estimate_difference(samples, 0.95).interval.value().contains(0);
      CHECK(estimate_ratio(samples, 0.95).interval.value().contains(1) == equal);
      ++(equal ? inside : outside);
    }
  }
  CHECK(inside > 50);
  CHECK(outside > 50);
}

TEST_CASE("intervals hold the truth as often as they say") {
  core::Rng rng(5);
  int held = 0;
  constexpr int trials = 4000;
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<double> values;
    for (int i = 0; i < 5; ++i) values.push_back(3 + 2 * rng.normal());
    held += estimate_mean(values, 0.95).interval.value().contains(3) ? 1 : 0;
  }
  CHECK(held > 0.94 * trials);
  CHECK(held < 0.96 * trials);
}

TEST_CASE("a ratio to a value that may be zero has no interval, and one to zero is not finite") {
  const std::vector<double> first{5, 6, 7};
  const std::vector<double> wild{-10, 1, 12};
  CHECK_FALSE(estimate_ratio({first, wild, true}, 0.95).interval.has_value());
  const std::vector<double> nothing{0, 0, 0};
  CHECK_FALSE(std::isfinite(estimate_ratio({first, nothing, true}, 0.95).value));
}

TEST_CASE("samples without any spread give intervals without width") {
  const std::vector<double> three{3, 3, 3};
  const std::vector<double> four{4, 4, 4};
  CHECK(estimate_difference({four, three, true}, 0.95) == Estimate{1, Interval{1, 1}});
  CHECK(estimate_difference({four, three, false}, 0.95) == Estimate{1, Interval{1, 1}});
  const Estimate ratio = estimate_ratio({four, three, true}, 0.95);
  CHECK(ratio.interval.value().low == doctest::Approx(4.0 / 3));
  CHECK(ratio.interval.value().high == doctest::Approx(4.0 / 3));
}

// Of an autoregressive series the values depend on each other, and the batches hardly do.
TEST_CASE("batches give intervals that hold the truth where values depend on each other") {
  core::Rng rng(3);
  int held = 0;
  int held_mean = 0;
  int naive = 0;
  constexpr int trials = 400;
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<double> values;
    double last = rng.normal() / std::sqrt(1 - 0.9 * 0.9);
    for (int i = 0; i < 4000; ++i) values.push_back(last = 0.9 * last + rng.normal());
    held += estimate_quantile(values, 0.5, 0.95).interval.value().contains(0) ? 1 : 0;
    held_mean += estimate_mean_of_series(values, 0.95).interval.value().contains(0) ? 1 : 0;
    naive += estimate_mean(values, 0.95).interval.value().contains(0) ? 1 : 0;
  }
  CHECK(held > 0.91 * trials);
  CHECK(held < 0.99 * trials);
  CHECK(held_mean > 0.91 * trials);
  CHECK(naive < 0.6 * trials);
}

TEST_CASE("a quantile that no batch can know has no interval") {
  std::vector<double> values(1999, 1.0);
  CHECK_FALSE(estimate_quantile(values, 0.99, 0.95).interval);
  CHECK(estimate_quantile(values, 0.99, 0.95).value == 1);
  values.push_back(1);
  CHECK(estimate_quantile(values, 0.99, 0.95).interval == Interval{1, 1});
  CHECK_FALSE(estimate_quantile(std::vector<double>(199, 1.0), 0.5, 0.95).interval);
  CHECK_FALSE(estimate_quantile({}, 0.5, 0.95).exists());
}

}  // namespace rhizome::scenarios::statistics_test
