#include "tools/chart/chart.hpp"

#include <doctest/doctest.h>

namespace rhizome::crowding_test {

using tools::is_crowded;

TEST_CASE("points that crowd at the low end of an axis want a logarithmic one") {
  CHECK(is_crowded({20, 100, 1000, 10'000}));
  CHECK(is_crowded({50, 100, 1000, 4000}));  // half of them do
  CHECK(is_crowded({10'000, 20, 1000, 100}));
}

TEST_CASE("points that an even axis shows well, or a logarithmic one not at all, stay on it") {
  CHECK_FALSE(is_crowded({}));
  CHECK_FALSE(is_crowded({1, 10, 100}));      // too few to crowd
  CHECK_FALSE(is_crowded({0, 1, 10, 1000}));  // there is no 0
  CHECK_FALSE(is_crowded({-5, 1, 10, 1000}));
  CHECK_FALSE(is_crowded({10, 11, 12, 200}));          // less than two powers of ten
  CHECK_FALSE(is_crowded({1, 30, 60, 80, 100}));       // spread
  CHECK_FALSE(is_crowded({1, 1, 1, 1, 60, 80, 100}));  // equal values count once
}

}  // namespace rhizome::crowding_test
