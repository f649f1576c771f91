// The answer of a Sparrow peer that is asked for its load.
#include "agents/sparrow/forecast.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "test/support/lone_sparrow.hpp"

namespace rhizome::sparrow_forecast_test {

using test::LoneSparrow;
using test::other;
using test::third;
using namespace agents::sparrow;

namespace {

Options estimating(double error) {
  Options options;
  options.sampling = Sampling::per_task;
  options.answers = Answers::estimated_wait;
  options.estimate_error = error;
  return options;
}

// The answer of the peer.
double load_of(LoneSparrow& alone) {
  static std::uint32_t sampling = 0;
  alone.peer.deliver(other, Query{++sampling, {1, 0}, other, {sampling}});
  return -alone.peer.sent<Load>().back().second.utility;
}

}  // namespace

TEST_CASE("a peer that is asked for its queue tells how many tasks wait, not how many run") {
  Options options = estimating(0);
  options.answers = Answers::queue_length;
  LoneSparrow alone(options);
  for (std::uint32_t job = 1; job <= 2; ++job)
    alone.peer.deliver(other, Place{alone.task({job, 0})});
  CHECK(load_of(alone) == 0);
  for (std::uint32_t job = 3; job <= 5; ++job)
    alone.peer.deliver(other, Place{alone.task({job, 0})});
  CHECK(load_of(alone) == 3);
}

TEST_CASE("the wait that a peer expects is running and waiting work, over its processors") {
  LoneSparrow alone(estimating(0));
  CHECK(load_of(alone) == 0);
  for (std::uint32_t job = 1; job <= 3; ++job)  // 100 ms each; two run
    alone.peer.deliver(other, Place{alone.task({job, 0})});
  CHECK(load_of(alone) == doctest::Approx(0.15));
  alone.peer.pass(std::chrono::milliseconds(40));
  CHECK(load_of(alone) == doctest::Approx(0.11));
  REQUIRE(alone.peer.complete_next());
  CHECK(load_of(alone) == doctest::Approx(0.05));
  alone.leaves(other);
  alone.peer.deliver(third, Query{1000, {1, 0}, third, {1000}});
  CHECK(alone.peer.sent<Load>().back().second.utility == 0);
}

TEST_CASE("an estimate errs by its own factor for each task, the same at every peer") {
  LoneSparrow one(estimating(1));
  LoneSparrow another(estimating(1));
  double last = 0;
  double longest = 0;
  double shortest = 1e9;
  for (std::uint32_t job = 0; job < 10; ++job) {
    one.peer.deliver(other, Place{one.task({job, 0})});
    another.peer.deliver(other, Place{another.task({job, 0})});
    const double wait = load_of(one);
    CHECK(wait == load_of(another));
    longest = std::max(longest, wait - last);
    shortest = std::min(shortest, wait - last);
    last = wait;
  }
  CHECK(shortest < 0.05 / 1.5);
  CHECK(longest > 0.05 * 1.5);
}

TEST_CASE("a completed task is expected no more, though it was expected to take longer") {
  LoneSparrow alone(estimating(2));
  for (std::uint32_t job = 0; job < 10; ++job)
    alone.peer.deliver(other, Place{alone.task({job, 0})});
  while (alone.peer.complete_next()) continue;
  CHECK(load_of(alone) == 0);
}

}  // namespace rhizome::sparrow_forecast_test
