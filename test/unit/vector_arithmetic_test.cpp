// The arithmetic of vector scheduling: the example of the source, and what holds of any
// neighbourhood.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "agents/vector/planner.hpp"
#include "core/peer/rng.hpp"

namespace rhizome::vector_arithmetic_test {

using namespace agents::vectors;
using Values = std::vector<double>;

namespace {

// Tables 3.2 and 3.3 of the source: A, B, C and D.
const Values queues{7, 1, 0, 1};
const Values benchmarks{0.8, 0.1, 0.2, 0.6};

std::uint64_t sum(const Counts& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

// Few different values, so that some are equal.
Values draw_values(core::Rng& rng, std::size_t size) {
  Values values;
  for (std::size_t i = 0; i < size; ++i)
    values.push_back(static_cast<double>(rng.below(12)) / 4 + 0.25);
  return values;
}

std::vector<Dimension> draw_neighbourhood(core::Rng& rng) {
  const std::size_t size = 1 + rng.below(12);
  std::vector<Dimension> dimensions(1 + rng.below(5));
  for (Dimension& dimension : dimensions)
    dimension = {.values = draw_values(rng, size),
                 .flow = rng.uniform(-1, 1),
                 .stasis = rng.chance(0.5) ? rng.uniform(-0.2, 0.2) : 0};
  return dimensions;
}

Values scaled_by(Values values, double factor) {
  for (double& value : values) value *= factor;
  return values;
}

}  // namespace

TEST_CASE("a metric is scaled to [-1, 1] over the neighbourhood, as in table 3.3") {
  const Values scaled_queues = scaled(queues);
  const Values scaled_benchmarks = scaled(benchmarks);
  const Values published_queues{1, -0.714, -1, -0.714};
  const Values published_benchmarks{1, -1, -0.714, 0.429};
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(scaled_queues[i] == doctest::Approx(published_queues[i]).epsilon(0.001));
    CHECK(scaled_benchmarks[i] == doctest::Approx(published_benchmarks[i]).epsilon(0.001));
  }
}

TEST_CASE("a metric that is equal for all says nothing") {
  CHECK(scaled({3, 3, 3}) == Values{0, 0, 0});
  CHECK(scaled({}).empty());
}

TEST_CASE("the example of section 3.3 is reproduced: A keeps no task of seven, C gets most") {
  const Values found = scores({{queues, -0.9}, {benchmarks, -0.3}});
  CHECK(split(7, found) == Counts{0, 3, 3, 1});
}

TEST_CASE("a score below 0 counts as 0, so that no peer is handed more tasks than there are") {
  const Values found = scores({{{7, 0}, -1}, {{1, 1}, -0.5}});
  CHECK(found == Values{0, 1});
}

TEST_CASE("stasis shifts the scaled values of the first alone") {
  const Values still = scores({{{4, 4}, -1, -0.2}});
  CHECK(still[0] == doctest::Approx(0.2));
  CHECK(still[1] == 0);
  CHECK(scores({{{1, 2, 3}, 1, 1}})[0] == 0);
}

TEST_CASE("a split gives whole shares, then one each by the largest remainder") {
  CHECK(split(10, {1, 1, 1}) == Counts{4, 3, 3});
  CHECK(split(2, {1, 1, 1}) == Counts{1, 1, 0});
  CHECK(split(3, {0.5, 0.2, 0.3}) == Counts{1, 1, 1});
  CHECK(split(0, {1, 2}) == Counts{0, 0});
}

TEST_CASE("without any score all tasks stay") {
  CHECK(split(5, {0, 0, 0}) == Counts{5, 0, 0});
  CHECK(split(5, {}).empty());
}

TEST_CASE("in any neighbourhood no task is invented or lost, by any rule") {
  core::Rng rng = core::Rng::derive({1}, "neighbourhoods");
  for (int i = 0; i < 20'000; ++i) {
    const auto tasks = static_cast<std::uint32_t>(rng.below(500));
    const auto dimensions = draw_neighbourhood(rng);
    const Counts counts = split(tasks, scores(dimensions));
    REQUIRE(sum(counts) == tasks);
    Counts lengths{tasks};
    std::vector<BusyTime> paces{{.backlog = rng.uniform(0, 9), .task = rng.uniform(0.1, 9)}};
    for (std::size_t k = 1; k < counts.size(); ++k) {
      lengths.push_back(static_cast<std::uint32_t>(rng.below(300)));
      paces.push_back({.backlog = rng.uniform(0, 900), .task = rng.uniform(0.1, 9)});
    }
    REQUIRE(sum(only_down(counts, lengths)) == tasks);
    REQUIRE(sum(levelled(tasks, paces, rng.unit())) == tasks);
  }
}

TEST_CASE("the unit of a metric makes no difference") {
  core::Rng rng = core::Rng::derive({2}, "neighbourhoods");
  for (int i = 0; i < 20'000; ++i) {
    auto dimensions = draw_neighbourhood(rng);
    const Counts before = split(100, scores(dimensions));
    Dimension& some = dimensions[rng.below(dimensions.size())];
    some.values = scaled_by(some.values, rng.chance(0.5) ? 1e3 : 1.0 / 60);
    REQUIRE(split(100, scores(dimensions)) == before);
  }
}

TEST_CASE("ties go to the earlier, wherever else in the neighbourhood they stand") {
  core::Rng rng = core::Rng::derive({3}, "neighbourhoods");
  for (int i = 0; i < 2'000; ++i) {
    const std::size_t size = 2 + rng.below(10);
    const auto tasks = static_cast<std::uint32_t>(rng.below(100));
    const Counts counts = split(tasks, Values(size, rng.uniform(0.001, 3)));
    for (std::size_t k = 0; k < size; ++k)
      REQUIRE(counts[k] == tasks / size + (k < tasks % size ? 1 : 0));
  }
}

TEST_CASE("levelled: each task goes where it would be finished first") {
  CHECK(levelled(6, {{0, 1}, {0, 2}, {0, 2}}, 0) == Counts{4, 1, 1});
  CHECK(levelled(3, {{10, 1}, {0, 1}}, 0) == Counts{0, 3});
  CHECK(levelled(1, {{5, 1}, {5, 1}}, 0) == Counts{1, 0});
}

TEST_CASE("levelled: a task stays unless it gains more than the margin") {
  CHECK(levelled(1, {{1, 1}, {0, 1}}, 0) == Counts{0, 1});
  CHECK(levelled(1, {{1, 1}, {0, 1}}, 1) == Counts{1, 0});
  CHECK(levelled(1, {{1.1, 1}, {0, 1}}, 1) == Counts{0, 1});
}

TEST_CASE("levelled: no other division of a few tasks is finished sooner") {
  core::Rng rng = core::Rng::derive({4}, "neighbourhoods");
  const auto finish = [](const std::vector<BusyTime>& paces, const Counts& counts) {
    double last = 0;
    for (std::size_t i = 0; i < counts.size(); ++i)
      if (counts[i] > 0) last = std::max(last, paces[i].backlog + counts[i] * paces[i].task);
    return last;
  };
  for (int i = 0; i < 500; ++i) {
    std::vector<BusyTime> paces(3);
    for (BusyTime& pace : paces) pace = {rng.uniform(0, 5), rng.uniform(0.5, 3)};
    const double found = finish(paces, levelled(5, paces, 0));
    for (std::uint32_t a = 0; a <= 5; ++a)
      for (std::uint32_t b = 0; a + b <= 5; ++b)
        REQUIRE(finish(paces, {a, b, 5 - a - b}) >= found - 1e-9);
  }
}

TEST_CASE("only down: no peer's queue becomes longer than what is left") {
  CHECK(only_down({0, 5, 5}, {10, 0, 12}) == Counts{5, 5, 0});
  CHECK(only_down({0, 9}, {9, 2}) == Counts{6, 3});
  CHECK(only_down({0, 5, 5}, {10, 0, 0}) == Counts{4, 3, 3});
  CHECK(only_down({1, 0}, {1, 1}) == Counts{1, 0});
}

}  // namespace rhizome::vector_arithmetic_test
