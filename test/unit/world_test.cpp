#include "scenarios/experiment/conditions.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "scenarios/format/parser.hpp"

namespace rhizome::world_test {

namespace {

std::vector<double> speeds_of(const std::string& peers) {
  const auto cells = scenarios::parse_scenario(
      "[peers]\n" + peers + "\n[[scheduler]]\nuse = \"organic-grid\"\n", "world.toml");
  std::vector<double> speeds;
  for (const auto& capacity :
       scenarios::make_surroundings(cells.front().scenario, 1).world.capacities)
    speeds.push_back(capacity.speed);
  return speeds;
}

}  // namespace

TEST_CASE("peers of two classes are slow or fast, in the share that the scenario says") {
  const auto speeds = speeds_of(
      "count = 1000\nspeeds = \"two-class\"\nspeed_min = 0.1\nspeed_max = 1\nfast_share = 0.3");
  const auto fast = std::count(speeds.begin(), speeds.end(), 1.0);
  const auto slow = std::count(speeds.begin(), speeds.end(), 0.1);
  CHECK(fast + slow == 1000);
  CHECK(fast > 240);  // four standard deviations of 14.5
  CHECK(fast < 360);
}

TEST_CASE("uniform speeds lie anywhere between the bounds") {
  const auto speeds = speeds_of("count = 1000\nspeed_min = 2\nspeed_max = 4");
  const auto [least, most] = std::minmax_element(speeds.begin(), speeds.end());
  CHECK(*least >= 2);
  CHECK(*least < 2.1);
  CHECK(*most <= 4);
  CHECK(*most > 3.9);
}

TEST_CASE("work enters at the fastest peer where the scenario says so") {
  const auto cells = scenarios::parse_scenario(
      "[peers]\ncount = 50\nsource = \"fastest\"\n[[scheduler]]\nuse = \"organic-grid\"\n",
      "world.toml");
  const auto world = scenarios::make_surroundings(cells.front().scenario, 3).world;
  for (const auto& capacity : world.capacities)
    CHECK(capacity.speed <= world.capacities[world.source.value].speed);
}

TEST_CASE("jobs that arrive after the limit of a run on threads are remarked beforehand") {
  const auto remarks_of = [](const std::string& lines) {
    const auto cells =
        scenarios::parse_scenario("workload.jobs = 30\nworkload.spacing = \"20min\"\n" + lines +
                                      "[[scheduler]]\nuse = \"organic-grid\"\n",
                                  "world.toml");
    return scenarios::make_surroundings(cells.front().scenario, 1).remarks;
  };
  REQUIRE(remarks_of("").size() == 1);
  CHECK(remarks_of("").front() ==
        "the last job arrives after 580min, and engine.time_limit ends the run at 1h: raise it, or "
        "say run.duration where not all shall be done");
  CHECK(remarks_of("engine.time_limit = \"10h\"\n").empty());
  CHECK(remarks_of("engine.kind = \"virtual\"\n").empty());  // its limit follows the work
}

}  // namespace rhizome::world_test
