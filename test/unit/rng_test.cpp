#include "core/peer/rng.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace rhizome::rng_test {

using core::Rng;

namespace {

constexpr int draws = 200'000;

template <class Draw>
double mean_of(Draw draw) {
  double sum = 0;
  for (int i = 0; i < draws; ++i) sum += draw();
  return sum / draws;
}

}  // namespace

TEST_CASE("the stream of a seed is fixed for ever") {
  Rng rng(1);
  CHECK(rng.bits() == 12966619160104079557ULL);
  CHECK(rng.bits() == 9600361134598540522ULL);
}

TEST_CASE("streams differ by every part of their path and by purpose") {
  const auto first = [](Rng rng) { return rng.bits(); };
  const auto base = first(Rng::derive({1, 2, 3}, "peer"));
  CHECK(base == first(Rng::derive({1, 2, 3}, "peer")));
  CHECK(base != first(Rng::derive({2, 2, 3}, "peer")));
  CHECK(base != first(Rng::derive({1, 3, 3}, "peer")));
  CHECK(base != first(Rng::derive({1, 2, 4}, "peer")));
  CHECK(base != first(Rng::derive({1, 2, 3}, "link")));
}

TEST_CASE("distributions have their stated means and stay within their bounds") {
  Rng rng(11);
  CHECK(mean_of([&] { return rng.unit(); }) == doctest::Approx(0.5).epsilon(0.01));
  CHECK(mean_of([&] { return rng.exponential(3.0); }) == doctest::Approx(3.0).epsilon(0.02));
  CHECK(std::abs(mean_of([&] { return rng.normal(); })) < 0.01);
  CHECK(mean_of([&] {
          const double z = rng.normal();
          return z * z;
        }) == doctest::Approx(1.0).epsilon(0.02));
  CHECK(mean_of([&] { return static_cast<double>(rng.between(-3, 5)); }) ==
        doctest::Approx(1.0).epsilon(0.05));
  CHECK(mean_of([&] { return rng.lognormal(0.0, 0.5); }) ==
        doctest::Approx(std::exp(0.125)).epsilon(0.02));
  for (int i = 0; i < 1000; ++i) {
    REQUIRE(rng.below(7) < 7);
    const auto drawn = rng.between(-2, 2);
    REQUIRE((drawn >= -2 && drawn <= 2));
  }
}

TEST_CASE("below is uniform over every value") {
  Rng rng(5);
  std::vector<int> counts(10);
  for (int i = 0; i < draws; ++i) ++counts[rng.below(10)];
  for (const int count : counts) CHECK(count == doctest::Approx(draws / 10.0).epsilon(0.04));
}

TEST_CASE("a shuffle is a permutation and depends on the seed alone") {
  std::vector<int> a(50);
  std::iota(a.begin(), a.end(), 0);
  std::vector<int> b = a;
  const std::vector<int> sorted = a;
  Rng(9).shuffle(std::span(a));
  Rng(9).shuffle(std::span(b));
  CHECK(a == b);
  CHECK(a != sorted);
  std::sort(a.begin(), a.end());
  CHECK(a == sorted);
}

}  // namespace rhizome::rng_test
