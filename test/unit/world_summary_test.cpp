#include "scenarios/experiment/world_summary.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "scenarios/experiment/conditions.hpp"
#include "scenarios/format/parser.hpp"
#include "scenarios/text/input_error.hpp"

namespace rhizome::world_summary_test {

using namespace std::chrono_literals;

namespace {

// Ten peers of speed 1, and what the text adds.
scenarios::Scenario scenario_of(const std::string& text) {
  return scenarios::parse_scenario("[peers]\ncount = 10\nspeed_min = 1\nspeed_max = 1\n" + text,
                                   "s.toml")
      .front()
      .scenario;
}

std::vector<std::string> summary(const std::string& text) {
  const scenarios::Scenario scenario = scenario_of(text);
  return scenarios::summary_of(scenario, scenarios::make_surroundings(scenario, 1));
}

const std::string in_virtual_time = "[engine]\nkind = \"virtual\"\n";

std::vector<std::string> remarked(const std::string& text) {
  return scenarios::make_surroundings(scenario_of(text + in_virtual_time), 1).remarks;
}

core::Duration latest_crash(const std::string& text) {
  core::Duration latest{0};
  const scenarios::Scenario scenario = scenario_of(text + in_virtual_time);
  for (const core::Fault& fault : scenarios::make_surroundings(scenario, 1).faults)
    latest = std::max(latest, fault.at - core::Time{});
  return latest;
}

const std::string early =
    "all faults strike before a hundredth of the work can be done, so they hardly matter: set "
    "later times";

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
  REQUIRE(far.size() == 4);
  CHECK(far[1] == "messages take no time");
  CHECK(far[2] == "faults strike after 1s");
  CHECK(far[3] == "on threads a run takes at least 2.77h, and all 5 runs take 13.9h");
  CHECK(remarked(log + scheduler + crash) == std::vector<std::string>{early});
  const std::string later = "[[faults.event]]\nat = \"60s\"\npeer = 3\n";
  CHECK(summary(spread + scheduler + later)[2] == "faults strike after 1min");
  CHECK(remarked(spread + scheduler + later).empty());
}

TEST_CASE("crashes by chance spread over a long workload unless their times are said") {
  const std::string log =
      "[workload]\njobs = 1000\nportions = 2\nportion_time = \"10s\"\n"
      "arrivals = \"constant\"\nspacing = \"10s\"\n";
  const std::string crashes = "[faults]\ncrash_share = 0.5\n";
  CHECK(latest_crash(log + scheduler + crashes) > 1h);
  CHECK(remarked(log + scheduler + crashes).empty());
  CHECK(latest_crash(log + scheduler + crashes + "crash_until = \"5s\"\n") <= 5s);
  CHECK(remarked(log + scheduler + crashes + "crash_until = \"5s\"\n") ==
        std::vector<std::string>{early});
  const std::string all_crash = "[faults]\ncrash_share = 0.9\n";
  CHECK(latest_crash(log + scheduler + all_crash) <= 9990s);
  const std::string dense =
      "[workload]\njobs = 1000\nportions = 20\nportion_time = \"10s\"\n"
      "arrivals = \"constant\"\nspacing = \"10s\"\n";
  // No run of that is over before 20,000 s, so all crashes that were asked for take place.
  CHECK(latest_crash(dense + scheduler + all_crash) > 10'000s);
  CHECK(latest_crash(dense + scheduler + all_crash) <= 20'000s);
  CHECK(latest_crash(spread + scheduler + crashes) <= 5s);
  CHECK(latest_crash(log + scheduler + crashes + "crash_from = \"2h\"\n") > 2h);
  CHECK_THROWS_WITH_AS(latest_crash(spread + scheduler + crashes + "crash_from = \"10s\"\n"),
                       doctest::Contains("set faults.crash_until"), scenarios::InputError);
}

TEST_CASE("overlays alone have no load") {
  const auto all = summary(
      "[network]\nlatency = \"constant\"\ndelay = \"5ms\"\n[[scheduler]]\nuse = "
      "\"overlay-only\"\n");
  CHECK(all == std::vector<std::string>{"nearly all messages take at most 5ms"});
}

}  // namespace rhizome::world_summary_test
