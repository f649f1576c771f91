// Durations of tasks from any source, and the clock of a run; and the time limit that follows slow
// lines.
#include <doctest/doctest.h>

#include <string>

#include "scenarios/experiment/conditions.hpp"
#include "scenarios/format/parser.hpp"
#include "scenarios/format/unsaid.hpp"
#include "scenarios/text/input_error.hpp"
#include "test/support/refusal.hpp"
#include "test/support/temporary_file.hpp"

namespace rhizome::durations_test {

namespace {

using namespace std::chrono_literals;

scenarios::Scenario scenario_of(const std::string& text) {
  return scenarios::parse_scenario("peers.count = 2\npeers.speed_min = 1\n" + text +
                                       "engine.kind = \"virtual\"\n"
                                       "[[scheduler]]\nuse = \"omniscient\"\n",
                                   "s.toml")
      .front()
      .scenario;
}

std::string refusal(const std::string& text) {
  return test::refusal_by(
      [&] { static_cast<void>(scenarios::make_surroundings(scenario_of(text), 1)); });
}

std::string from_file(const std::string& kind, const std::string& file, const std::string& more) {
  return "workload.kind = \"" + kind + "\"\nworkload.file = \"" + file + "\"\n" + more;
}

}  // namespace

TEST_CASE("work that lasts beyond the clock of a run is refused at the key that says so") {
  const std::string counts = ": the clock of a run counts 292 years";
  const test::TemporaryFile swf("1 0 -1 900000000 1 -1 -1 1 -1 -1 1 1 1 1 1 1 -1 -1\n");
  const test::TemporaryFile stg("2\n0 900000000 0\n1 1 1 0\n");
  for (const auto& [kind, file] : {std::pair("swf", swf.name()), std::pair("stg", stg.name())}) {
    INFO(kind);
    CHECK(refusal(from_file(kind, file, "")) == "accepted");
    CHECK(refusal(from_file(kind, file, "workload.duration_scale = 1.1\n")) == "accepted");
    CHECK(refusal(from_file(kind, file, "workload.duration_scale = 8.0\n"))
              .starts_with("s.toml:5:10: a task takes 2000000h on the slowest peer" + counts));
  }
  CHECK(
      refusal("workload.jobs = 1\nworkload.portions = 2\nworkload.portion_time = \"200000h\"\n") ==
      "accepted");
  CHECK(refusal("workload.jobs = 1\nworkload.portions = 4\nworkload.portion_time = \"1000000h\"\n")
            .starts_with("s.toml:5:10: the tasks of one job take too long together" + counts));
  CHECK(refusal("workload.jobs = 9\nworkload.portions = 2\nworkload.portion_time = \"900000h\"\n")
            .starts_with("s.toml:5:10: the work may take too long" + counts));
  CHECK(refusal("workload.jobs = 1\nworkload.portions = 2\nworkload.portion_time = \"900000h\"\n"
                "engine.time_limit = \"1000000h\"\nengine.grace = \"1s\"\n") == "accepted");
}

TEST_CASE("an unset time limit covers the time of slow lines for the work and its files") {
  const auto limit = [](const std::string& rate) {
    const auto scenario =
        scenario_of("workload.jobs = 1\nworkload.portions = 2\nnetwork.bandwidth_up = \"" + rate +
                    "\"\nfiles.output = 1_000_000\n");
    const auto around = scenarios::make_surroundings(scenario, 1);
    return scenarios::complete(scenario, around.world).engine.time_limit;
  };
  CHECK(limit("100Mbit/s") == 1h);
  CHECK(limit("8kbit/s") > 4 * 2000s);
  CHECK(limit("8kbit/s") < 4 * 2100s);
}

}  // namespace rhizome::durations_test
