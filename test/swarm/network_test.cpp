// Whole runs over access lines.
#include <doctest/doctest.h>

#include <cmath>

#include "test/support/experiments.hpp"

namespace rhizome::network_test {

using test::check_sound;
using test::metric;
using test::run_scenario;

namespace {

const std::string base = R"(
peers.count = 30
workload.jobs = 20
engine.kind = "virtual"
network.latency = "lognormal"
network.delay = "20ms"
)";

const std::string lines =
    "network.bandwidth_up = \"10Mbit/s\"\nnetwork.bandwidth_down = \"20Mbit/s\"\n";
const std::string payload = "workload.payload = 20_000\nworkload.result_payload = 1_000\n";
const std::string scheduler = "[[scheduler]]\nuse = ";

const std::string dealt = base + scheduler + "\"round-robin\"\n";

}  // namespace

TEST_CASE("payload is counted for each task and result that a message moves") {
  const auto plain = run_scenario(dealt);
  const auto loaded = run_scenario(base + payload + scheduler + "\"round-robin\"\n");
  const double tasks = 20 * 18;
  CHECK(metric(loaded, "job_bytes") == metric(plain, "job_bytes") + tasks * 20'000);
  CHECK(metric(loaded, "result_bytes") == metric(plain, "result_bytes") + tasks * 1'000);
  CHECK(metric(loaded, "information_bytes") == metric(plain, "information_bytes"));
  CHECK(metric(loaded, "makespan") == metric(plain, "makespan"));
  CHECK(std::isnan(metric(loaded, "queueing_delay_max")));
}

namespace {

const std::string graph = R"(
network.latency = "constant"
network.delay = "5ms"
peers.count = 10
workload = { kind = "matrix", dims = 8, tg_prob_connected = 0.4 }
engine.kind = "virtual"
)";

// The bytes carried with tasks and with results, at one byte for each dependency.
std::pair<double, double> carried(const std::string& scheduler_name) {
  const std::string all = graph + test::schedulers({scheduler_name});
  constexpr double bytes = 1e6;  // so many that no encoding counts
  const auto light = run_scenario(all);
  const auto heavy = run_scenario(all, 0, 0, {.command_line = {"workload.edge_bytes=1000000"}});
  CHECK(metric(heavy, "makespan") == metric(light, "makespan"));
  const auto more = [&](const char* name) {
    return std::round((metric(heavy, name) - metric(light, name)) / bytes);
  };
  return {more("job_bytes"), more("result_bytes")};
}

}  // namespace

TEST_CASE(
    "data between tasks travel with results and tasks, by way of the peer that keeps the graph") {
  const auto edges = run_scenario(graph + test::schedulers({"round-robin"}))
                         .facts.of<agents::GraphSubmitted>()
                         .front()
                         .fact.edges;
  REQUIRE(edges > 20);
  const auto all = static_cast<double>(edges);
  for (const char* direct : {"round-robin", "sparrow"}) {
    INFO(direct);
    CHECK(carried(direct) == std::pair(all, all));
  }
  for (const char* by_way : {"organic-grid", "air-traffic", "hybrid", "vector"}) {
    INFO(by_way);
    const auto [tasks, results] = carried(by_way);
    CHECK(tasks > all / 4);  // data of tasks that the source executes are not sent
    CHECK(results > all / 4);
  }
}

TEST_CASE("data between tasks under a locator travel from peer to peer, and move on with tasks") {
  const auto [tasks, results] = carried("wander");
  CHECK(tasks > 10);
  CHECK(results > 50);
}

TEST_CASE("data between tasks take time on the lines") {
  const std::string narrow = graph + "network.bandwidth_up = \"8Mbit/s\"\n";
  for (const char* name : {"round-robin", "wander"}) {
    INFO(name);
    const auto makespan = [&](const std::string& bytes) {
      return metric(run_scenario(narrow + test::schedulers({name}), 0, 0,
                                 {.command_line = {"workload.edge_bytes=" + bytes}}),
                    "makespan");
    };
    CHECK(makespan("1000000") > makespan("0") + 3);  // a second for each of a chain
  }
}

TEST_CASE("a source sends no faster than its uplink, and the figures say that it was full") {
  const auto outcome = run_scenario(base + lines + payload + scheduler + "\"round-robin\"\n");
  check_sound(outcome);
  const double fluid = 20 * 18 * 20'000 * 8 / 10e6;  // seconds of the source's uplink
  CHECK(metric(outcome, "completed") == 360);
  CHECK(metric(outcome, "makespan") > fluid * 29 / 30);  // the source keeps a thirtieth
  CHECK(metric(outcome, "makespan") < fluid * 1.3);
  CHECK(metric(outcome, "uplink_busy_top1") > 0.8);
  CHECK(metric(outcome, "uplink_busy_top1") <= 1);
  CHECK(metric(outcome, "downlink_busy_top1") < 0.2);
  CHECK(metric(outcome, "queueing_delay_max") > fluid * 0.8);
  CHECK(metric(outcome, "queueing_delay_mean") < metric(outcome, "queueing_delay_max"));
  CHECK(core::seconds(outcome.longest_delay) > metric(outcome, "queueing_delay_max"));
}

TEST_CASE("schedulers complete their tasks over thin lines with crashes, the same for a seed") {
  const std::string faults = "faults.crash_share = 0.2\nfaults.restart_after = \"2s\"\n";
  const std::string settings = "network.loss = 0.01\nnetwork.duplication = 0.01\n" + lines;
  for (const std::string name : {"organic-grid", "air-traffic", "hybrid", "sparrow"}) {
    CAPTURE(name);
    const std::string text = base + settings + payload + faults + scheduler + "\"" + name + "\"\n";
    const auto outcome = run_scenario(text);
    check_sound(outcome);
    CHECK(metric(outcome, "completed") == 360);
    CHECK(metric(outcome, "queueing_delay_mean") > 0);
    auto again = run_scenario(text);
    again.wall = outcome.wall;
    CHECK(again == outcome);
  }
}

}  // namespace rhizome::network_test
