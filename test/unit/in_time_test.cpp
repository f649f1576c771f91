// By when schedulers promise the last result of a run.
#include "scenarios/experiment/in_time.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <string>
#include <vector>

#include "scenarios/experiment/conditions.hpp"
#include "scenarios/format/parser.hpp"
#include "scenarios/format/unsaid.hpp"
#include "test/support/temporary_file.hpp"

namespace rhizome::in_time_test {

using namespace scenarios;
using namespace std::chrono_literals;

namespace {

// One task of 10 s for a peer that is ten times slower than another: 100 s, in a greedy schedule
// that begins with the slowest.
const std::string one_task = "jobs = 1\nportions = 1\nportion_time = \"10s\"\n";

Duration promise_of(const std::string& scheduler, const std::string& work = one_task,
                    const std::vector<std::string>& changes = {}) {
  const std::string text =
      "peers = { count = 2, speed_min = 0.1, speed_max = 1 }\n"
      "network.latency = \"none\"\nengine = { kind = \"virtual\" }\n[workload]\n" +
      work + "[run]\nrepetitions = 1\n[[scheduler]]\nuse = \"" + scheduler + "\"\n";
  const Scenario said = parse_scenario(text, "s.toml", {.command_line = changes}).front().scenario;
  Surroundings around = make_surroundings(said, 1);
  around.world.capacities = {{.speed = 1}, {.speed = 0.1}};
  const Scenario whole = complete(said, around.world);
  return promised_end(whole, around, whole.schedulers.front());
}

}  // namespace

TEST_CASE(
    "beside so many greedy schedules as its entry says, a scheduler promises the longest task "
    "at the slowest peer") {
  CHECK(promise_of("heft") == 3 * 100s + 100s);
  CHECK(promise_of("omniscient") == 5 * 100s + 100s);
}

TEST_CASE("the longest chain of tasks may be at the slowest peer, too") {
  const test::TemporaryFile chain("3\n0 2 0\n1 3 1 0\n2 5 1 1\n");
  CHECK(promise_of("heft", "kind = \"stg\"\nfile = \"" + chain.name() + "\"\n") == 3 * 100s + 100s);
}

TEST_CASE("times of the options are waited for twice, and once more for each task of a chain") {
  const Duration once = promise_of("omniscient", one_task, {"scheduler.omniscient.delay=1s"});
  CHECK(once == 5 * (100s + 2s) + 100s + 2 * 1s);
}

TEST_CASE("a task may wait for earlier tasks of its worker") {
  const Duration none = promise_of("hybrid", one_task, {"scheduler.hybrid.ahead=0"});
  CHECK(promise_of("hybrid", one_task, {"scheduler.hybrid.ahead=2"}) == none + 5 * 2 * 100s);
}

TEST_CASE("no time is promised by a vector that weighs queues little, or not from the start on") {
  const auto promised = [](const std::string& flow) {
    return promise_of("vector", one_task, {"scheduler.vector.flow=\"" + flow + "\""}) > 0s;
  };
  CHECK(promised("queue -1 benchmark -0.3; from 300s queue -0.7 benchmark -0.5"));
  CHECK(promised("queue -0.6 benchmark -0.8"));
  CHECK(promised("queue -1; from 300s"));
  CHECK_FALSE(promised("benchmark -1"));
  CHECK_FALSE(promised("queue 1"));
  CHECK_FALSE(promised("queue -0.1 benchmark -1"));
  CHECK_FALSE(promised("queue -1; from 300s benchmark -1"));
}

TEST_CASE(
    "no time is promised where a fault is planned, packets are lost or doubled, or threads run "
    "it") {
  CHECK(promise_of("sparrow") > 0s);
  CHECK(promise_of("round-robin") == 0s);
  CHECK(promise_of("sparrow", one_task, {"network.loss=0.1"}) == 0s);
  CHECK(promise_of("sparrow", one_task, {"network.duplication=0.1"}) == 0s);
  CHECK(promise_of("sparrow", one_task, {"faults.crash_share=0.5"}) == 0s);
  CHECK(promise_of("sparrow", one_task, {"engine.kind=threads"}) == 0s);
}

}  // namespace rhizome::in_time_test
