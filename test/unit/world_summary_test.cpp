#include "scenarios/experiment/world_summary.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "scenarios/experiment/conditions.hpp"
#include "scenarios/format/parser.hpp"

namespace rhizome::world_summary_test {

namespace {

// Ten peers of speed 1, and what the text adds.
std::vector<std::string> summary(const std::string& text) {
  const scenarios::Scenario scenario =
      scenarios::parse_scenario("[peers]\ncount = 10\nspeed_min = 1\nspeed_max = 1\n" + text,
                                "s.toml")
          .front()
          .scenario;
  return scenarios::summary_of(scenario, scenarios::make_surroundings(scenario, 1));
}

const std::string scheduler = "[[scheduler]]\nuse = \"organic-grid\"\n";
// 20 s of work for each peer, in 90 s.
const std::string spread =
    "[workload]\njobs = 10\nportions = 2\nportion_time = \"10s\"\narrivals = \"constant\"\n"
    "spacing = \"10s\"\n";

}  // namespace

TEST_CASE("the load of work that arrives over a time is what peers could do in that time") {
  CHECK(summary(spread + scheduler).front() ==
        "offered load 0.222: work arrives for 1.5min, and all peers together need 20s for it");
  CHECK(
      summary(spread + "start = \"60s\"\n" + scheduler).front().starts_with("offered load 0.222"));
}

TEST_CASE("processors that a task takes count for the load") {
  CHECK(summary("slots = 2\n" + spread + "cpus = 2\n" + scheduler)
            .front()
            .starts_with("offered load 0.222"));
  CHECK(summary("slots = 2\n" + spread + scheduler).front().starts_with("offered load 0.111"));
}

TEST_CASE("work that arrives at once has a least time, and too much of it is named") {
  const std::string at_once = "[workload]\njobs = 10\nportions = 2\nportion_time = \"10s\"\n";
  CHECK(summary(at_once + scheduler).front() ==
        "all work arrives at once: all peers together need 20s for it at least");
  const std::string fast =
      "[workload]\njobs = 10\nportions = 20\nportion_time = \"10s\"\n"
      "arrivals = \"constant\"\nspacing = \"1s\"\n";
  CHECK(summary(fast + scheduler).front().ends_with("more arrives than they can do meanwhile"));
}

TEST_CASE("faults that strike when hardly any work is done hardly matter") {
  const std::string crash = "[[faults.event]]\nat = \"1s\"\npeer = 3\n";
  const std::string log =
      "[workload]\njobs = 1000\nportions = 2\nportion_time = \"10s\"\n"
      "arrivals = \"constant\"\nspacing = \"10s\"\n";
  const auto far = summary(log + scheduler + crash);
  REQUIRE(far.size() == 3);
  CHECK(far[1] == "messages take no time");
  CHECK(far[2].starts_with("faults strike after 1s; the work takes "));
  CHECK(far[2].ends_with("so they hardly matter"));
  const std::string later = "[[faults.event]]\nat = \"60s\"\npeer = 3\n";
  CHECK(summary(spread + scheduler + later)[2] == "faults strike after 1min");
}

TEST_CASE("overlays alone have no load") {
  const auto all = summary(
      "[network]\nlatency = \"constant\"\ndelay = \"5ms\"\n[[scheduler]]\nuse = "
      "\"overlay-only\"\n");
  CHECK(all == std::vector<std::string>{"nearly all messages take at most 5ms"});
}

}  // namespace rhizome::world_summary_test
