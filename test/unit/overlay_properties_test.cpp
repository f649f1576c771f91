#include "overlay/properties.hpp"

#include <doctest/doctest.h>

namespace rhizome::overlay_properties_test {

using overlay::Edge;
using overlay::Properties;

// 0 and 1 know each other, 1 knows 2, 2 knows 0; 3 knows 0 and is dead, and 0 knows it.
TEST_CASE("properties of a graph that can be counted by hand") {
  const Edge links[] = {{0, 1}, {1, 0}, {1, 2}, {2, 0}, {3, 0}, {0, 3}};
  const Properties is = overlay::properties_of(links, {true, true, true, false});
  CHECK(is.mean_in_degree == doctest::Approx(4.0 / 3));
  CHECK(is.in_degree_deviation == doctest::Approx(0.4714).epsilon(1e-3));  // of 2, 1 and 1
  CHECK(is.clustering == 1);
  CHECK(is.mean_path == 1);
  CHECK(is.dead_links == 1);
  CHECK(is.largest_part == 3);
}

TEST_CASE("an overlay of unconnected parts, and one without peers, have properties") {
  const Edge links[] = {{0, 1}, {2, 3}, {3, 4}};
  const Properties is = overlay::properties_of(links, std::vector<bool>(5, true));
  CHECK(is.largest_part == 3);
  CHECK(is.clustering == 0);
  CHECK(is.mean_path == doctest::Approx((2 * 1 + 4 * 1 + 2 * 2) / 8.0));
  CHECK(overlay::properties_of({}, {false, false}).largest_part == 0);
}

}  // namespace rhizome::overlay_properties_test
