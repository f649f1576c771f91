#include "scenarios/experiment/memory.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "core/peer/samples.hpp"
#include "overlay/graph.hpp"
#include "scenarios/experiment/conditions.hpp"
#include "scenarios/format/parser.hpp"
#include "scenarios/format/unsaid.hpp"
#include "scenarios/world/graphs.hpp"
#include "test/support/temporary_file.hpp"

namespace rhizome::memory_test {

using namespace scenarios;

namespace {

constexpr double gibibyte = 1 << 30U;

const std::string small = R"(
peers.count = 50
workload = { jobs = 20, portions = 5 }
engine.kind = "virtual"
[[scheduler]]
use = "round-robin"
)";

Scenario scenario_of(const std::vector<std::string>& changes = {}) {
  return parse_scenario(small, "test.toml", {.command_line = changes}).front().scenario;
}

double bytes_of(const std::vector<std::string>& changes) {
  const Scenario scenario = scenario_of(changes);
  return memory_of_run(scenario, foreseen_work(scenario)).bytes();
}

// The error with so much memory; empty if the run fits.
std::string refusal(const std::vector<std::string>& changes, std::uint64_t room) {
  const Scenario scenario = scenario_of(changes);
  try {
    check_memory(scenario, foreseen_work(scenario), {"the available memory", room});
  } catch (const core::LimitExceeded& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a run that takes more memory than there is is refused with figures and a remedy") {
  const std::string said = refusal({"workload.jobs=10000000", "workload.portions=100"}, 1 << 30U);
  CHECK(said ==
        "test.toml: a run takes at least about 421 GiB of memory (421 GiB for 1,000,000,000 "
        "tasks), and the available memory is 1 GiB: use fewer tasks");
  CHECK(refusal({}, 1 << 30U).empty());
}

TEST_CASE("the largest part of the memory is named: links, peers or tasks") {
  const auto blames = [](const std::vector<std::string>& changes, const std::string& what) {
    return refusal(changes, 1 << 20U).find(what) != std::string::npos;
  };
  CHECK(blames({"peers.count=1000000", "graph.mean_degree=999999"},
               "for 499,999,500,000 links of the graph), and"));
  CHECK(blames({"peers.count=1000000"},
               "for 1,000,000 peers), and the available memory is 1 MiB: use fewer peers"));
  CHECK(blames({"workload.jobs=1000000"}, "for 5,000,000 tasks)"));
}

TEST_CASE(
    "more peers, links, jobs and tasks take more memory, and one number of tasks in more jobs") {
  const double least = bytes_of({});
  CHECK(bytes_of({"peers.count=5000"}) > least + 5e6);
  CHECK(bytes_of({"graph.mean_degree=40"}) > least + 10'000);
  CHECK(bytes_of({"workload.jobs=20000"}) > least + 2e7);
  CHECK(bytes_of({"workload.jobs=20000", "workload.portions=1"}) >
        bytes_of({"workload.jobs=1000", "workload.portions=20"}));
  CHECK(bytes_of({"engine.kind=threads"}) > least + 2e6);
}

TEST_CASE("samples of peers that talk all the time take memory, up to as much as is kept") {
  const auto bytes = [](const std::string& duration, const std::string& scheduler) {
    std::string text = small;
    text.replace(text.find("round-robin"), 11, scheduler);
    const Scenario scenario =
        parse_scenario(text, "t.toml", {.command_line = {"run.duration=" + duration}})
            .front()
            .scenario;
    return memory_of_run(scenario, foreseen_work(scenario)).bytes();
  };
  const double kept = 50.0 * core::Samples::most * 2 * sizeof(core::Sample);
  const double least = bytes("1ms", "sparrow");
  CHECK(bytes("1h", "sparrow") - least == doctest::Approx(kept).epsilon(0.01));
  CHECK(bytes("1000h", "sparrow") == bytes("1h", "sparrow"));
  CHECK(bytes("20s", "sparrow") - least == doctest::Approx(kept * 200 / 2048).epsilon(0.01));
  CHECK(bytes("1h", "round-robin") == bytes("1ms", "round-robin"));
}

TEST_CASE("the work of a closed run gives a lower bound of its duration") {
  const Scenario spaced = scenario_of({"workload.spacing=1h"});
  CHECK(work_in(complete(spaced, make_surroundings(spaced, 1).world),
                make_surroundings(spaced, 1).world.profile)
            .seconds == doctest::Approx(19 * 3600));
  CHECK(foreseen_work(spaced).seconds == doctest::Approx(19 * 3600));
  const Scenario heavy = scenario_of({"workload.portion_time=50s", "peers.speed_max=2"});
  CHECK(work_in(heavy, make_surroundings(heavy, 1).world.profile).seconds ==
        doctest::Approx(100 * 50 / (50 * 2.0)));
}

TEST_CASE("measured latencies and a log of messages take memory, and are named if they take most") {
  std::string row;
  for (int i = 0; i < 40; ++i) row += "123.456\t";
  row.back() = '\n';
  std::string matrix;
  for (int i = 0; i < 40; ++i) matrix += row;
  const test::TemporaryFile file(matrix);
  const std::vector<std::string> measured{"network.latency=matrix", "network.file=" + file.name()};
  const double more = bytes_of(measured) - bytes_of({});
  const double taken = 40 * 40 * sizeof(core::Duration);
  CHECK(more > taken / 2);
  CHECK(more < taken * 2);
  CHECK(refusal({"engine.log_messages=true", "workload.jobs=10000000"}, 1 << 20U)
            .find("50,000,000 tasks") != std::string::npos);
  CHECK(bytes_of({"engine.log_messages=true"}) - bytes_of({}) == 100 * 2 * 128);
}

TEST_CASE("the time for which a run is open bounds its jobs and its duration") {
  CHECK(foreseen_work(scenario_of()).tasks == 100);
  CHECK(foreseen_work(scenario_of({"run.duration=1s"})).tasks == 100);
  CHECK(foreseen_work(scenario_of({"run.duration=1s"})).seconds == 1);
  const Scenario open = scenario_of({"run.duration=1s", "workload.spacing=200ms"});
  CHECK(foreseen_work(open).tasks == 25);
  CHECK(work_in(open, make_surroundings(open, 1).world.profile).tasks == 30);
}

TEST_CASE("work that arrives after the time limit takes no memory") {
  const Scenario late =
      scenario_of({"engine.time_limit=2s", "workload.spacing=1s", "workload.jobs=1000000"});
  CHECK(foreseen_work(late).jobs == 2);
  CHECK(work_in(late, make_surroundings(scenario_of({"workload.spacing=1s"}), 1).world.profile)
            .jobs == doctest::Approx(20 * 2 / 19.0));
  CHECK(foreseen_work(
            scenario_of({"engine.time_limit=1h", "workload.start=2h", "workload.spacing=1s"}))
            .jobs == 0);
  CHECK(foreseen_work(scenario_of({"workload.start=2h", "workload.spacing=1s"})).jobs == 20);
}

TEST_CASE("the links of every kind of graph are foreseen, so that none is made that cannot be") {
  for (const GraphModel& model : graph_models()) {
    if (model.word == "graphml" || model.word == "complete") continue;
    CAPTURE(model.word);
    for (const double peers : {20.0, 500.0}) {
      const Scenario scenario = scenario_of({"graph.kind=" + model.word});
      core::Rng rng = core::Rng::derive({1}, "graph");
      const auto made = static_cast<double>(
          overlay::edges(model.make(scenario.graph, static_cast<std::uint32_t>(peers), rng)));
      REQUIRE(model.edges);
      CHECK(model.edges(scenario.graph, peers) == doctest::Approx(made).epsilon(0.1));
    }
  }
}

TEST_CASE("so many runs go on at once as fit with twice their least memory, and always one") {
  const core::MemoryRoom room{"the available memory", std::uint64_t{8} << 30U};
  CHECK(runs_at_once(0.5 * gibibyte, 8, room) == 8);
  CHECK(runs_at_once(1 * gibibyte, 8, room) == 4);
  CHECK(runs_at_once(7 * gibibyte, 8, room) == 1);
}

TEST_CASE("memory is told in three figures") {
  CHECK(memory_text(52 << 20U) == "52 MiB");
  CHECK(memory_text(1.4142 * gibibyte) == "1.41 GiB");
  CHECK(memory_text(1023 * gibibyte) == "0.999 TiB");
}

}  // namespace rhizome::memory_test
