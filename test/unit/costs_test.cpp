// Files of measured costs: their contents, and their effect on a scenario.
#include "scenarios/format/costs.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <chrono>
#include <fstream>
#include <string>

#include "core/engine/calibration.hpp"
#include "scenarios/format/effective.hpp"
#include "scenarios/format/parser.hpp"
#include "scenarios/text/input_error.hpp"
#include "test/support/temporary_directory.hpp"
#include "tools/commands/guiding/work_costs.hpp"

namespace rhizome::costs_test {

using namespace std::chrono_literals;
using namespace scenarios;

namespace {

const std::string measured = R"(
[engine]
handling = "2us"
wake_up = "15us"
cores = 4
[[work]]
work = "matrix"
matrix_order = 640
time = "200ms"
[[work]]
work = "cg"
time = "50ms"
[[work]]
work = "count"
count_file = "/elsewhere/words"
time = "3ms"
)";

class Place {
 public:
  explicit Place(const std::string& costs = measured) {
    std::ofstream(directory_.path() / "costs.toml") << costs;
    std::ofstream(directory_.path() / "words") << "some words";
  }
  [[nodiscard]] std::string file(const char* name) const { return directory_.path() / name; }
  [[nodiscard]] Scenario scenario(const std::string& text) const {
    return parse_scenario("costs = \"costs.toml\"\n" + text + "\n[[scheduler]]\nuse = \"vector\"\n",
                          file("s.toml"))
        .front()
        .scenario;
  }
  // The message of the refusal, without the directory.
  [[nodiscard]] std::string refusal(const std::string& text) const {
    try {
      static_cast<void>(scenario(text));
    } catch (const InputError& error) {
      std::string what = error.what();
      const std::string folder = directory_.path().string() + "/";
      for (std::size_t at = 0; (at = what.find(folder)) != std::string::npos;)
        what.erase(at, folder.size());
      return what;
    }
    return "accepted";
  }

 private:
  test::TemporaryDirectory directory_;
};

}  // namespace

TEST_CASE("virtual time charges measured costs, where the scenario does not set them") {
  const Place place;
  const Scenario plain = place.scenario("engine.kind = \"virtual\"");
  CHECK(plain.engine.handling == 2us);
  CHECK(plain.engine.wake_up == 15us);
  CHECK(plain.engine.cores == 4);
  CHECK(plain.workload.portion_time == WorkloadSection{}.portion_time);
  const Scenario said = place.scenario("engine = {kind = \"virtual\", handling = \"1us\"}");
  CHECK(said.engine.handling == 1us);
  CHECK(said.engine.wake_up == 15us);
}

TEST_CASE("real work takes its measured time, at the pace of the scenario") {
  const Place place;
  const std::string matrix = "workload.work = \"matrix\"\nworkload.matrix_order = 640\n";
  CHECK(place.scenario(matrix).workload.portion_time == 200ms);
  CHECK(place.scenario(matrix + "engine.time_scale = 10").workload.portion_time == 2s);
  CHECK(place.scenario("workload.work = \"cg\"").workload.portion_time == 50ms);
  CHECK(place.scenario("workload.work = \"count\"\nworkload.count_file = \"words\"")
            .workload.portion_time == 3ms);
}

TEST_CASE("work that was not measured is refused, and a time that is said twice") {
  const Place place;
  CHECK(place.refusal("[workload]\nwork = \"matrix\"\nmatrix_order = 641") ==
        "s.toml:1:1: costs.toml does not have this work (work = \"matrix\",matrix_order = 641): "
        "`rhizome doctor --calibrate SCENARIO --to FILE` measures it");
  CHECK(place.refusal("[workload]\nwork = \"cg\"\nportion_time = \"1s\"") ==
        "s.toml:4:1: \"portion_time\" has no effect: \"costs\" says how long a task takes");
  CHECK(Place("[[work]]\nwork = \"cg\"\ntimes = \"1s\"").refusal("") ==
        "costs.toml:3:1: there is no key \"times\"; did you mean \"time\"?");
  CHECK(Place("engine.grace = \"1s\"").refusal("").starts_with("costs.toml:1:8: there is no key"));
  CHECK(Place("peers.count = 4").refusal("") ==
        "costs.toml:1:7: costs are told in [engine] and in [[work]]");
  CHECK(Place("engine.cores = [1, 2]").refusal("") == "costs.toml:1:8: \"cores\" takes one value");
}

TEST_CASE("costs from a pipe are refused without waiting for a writer") {
  const test::TemporaryDirectory directory;
  const std::string pipe = (directory.path() / "costs").string();
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  CHECK_THROWS_AS(static_cast<void>(parse_scenario("costs = \"" + pipe + "\"", "s.toml")),
                  scenarios::InputError);
}

TEST_CASE("a stored scenario contains the costs, and needs their file no more") {
  const Place place;
  const Scenario one = place.scenario("workload.work = \"cg\"\nengine.kind = \"virtual\"");
  const std::string text = effective_toml(one);
  CHECK(text.find("costs") == std::string::npos);
  const Scenario again = parse_scenario(text, "other.toml").front().scenario;
  CHECK(again.engine.wake_up == 15us);
  CHECK(again.workload.portion_time == 50ms);
}

TEST_CASE("a scenario reads the costs that doctor writes") {
  tools::WorkCost cost;
  cost.work = parse_scenario(
                  "[workload]\nwork = \"matrix\"\nmatrix_order = 64\n"
                  "[[scheduler]]\nuse = \"vector\"\n",
                  "s.toml")
                  .front()
                  .scenario.workload;
  cost.time = 1234500ns;
  tools::WorkCost wrong = cost;
  wrong.right = false;
  const Costs costs = read_costs(
      tools::costs_file({.wake_up = 15us, .handling = 1500ns, .cores = 2}, {cost, wrong}),
      "c.toml");
  CHECK(costs.handling == 1500ns);
  CHECK(costs.wake_up == 15us);
  CHECK(costs.cores == 2U);
  REQUIRE(costs.works.size() == 1);
  CHECK(costs.works.front().time == 1234500ns);
  CHECK(lines_of_work(costs.works.front().work) == "work = \"matrix\"\nmatrix_order = 64\n");
}

}  // namespace rhizome::costs_test
