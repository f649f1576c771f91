#include <doctest/doctest.h>

#include "agents/facts.hpp"
#include "overlay/failure_detector.hpp"
#include "test/support/effort.hpp"
#include "test/support/experiments.hpp"

namespace rhizome::sparrow_test {

using test::check_sound;
using test::metric;
using test::run_scenario;

namespace {

const std::string base = R"(
peers.count = 40
peers.slots = 8
peers.memory = 16
peers.speed_min = 1
peers.speed_max = 1
graph.kind = "k-out"
graph.out_degree = 10
workload.jobs = 300
workload.portions = 1
workload.portion_time = "5s"
workload.cpus = 2
workload.memory = 2
workload.spacing = "60ms"
network.latency = "lognormal"
network.delay = "40ms"
engine.kind = "virtual"
engine.time_limit = "10min"
engine.grace = "60s"
[[scheduler]]
use = "sparrow"
)";

const std::vector<std::string> ways[] = {
    {},
    {"scheduler.sparrow.self_assign=true", "scheduler.sparrow.max_hops=5"},
    {"scheduler.sparrow.self_assign=true", "scheduler.sparrow.max_hops=5",
     "scheduler.sparrow.view=gradient", "scheduler.sparrow.temperature=1"},
    {"scheduler.sparrow.binding=per-job", "scheduler.sparrow.start=all-that-fit"},
    {"scheduler.sparrow.sampling=random"},
    {"scheduler.sparrow.sampling=per-task"},
    {"scheduler.sparrow.sampling=batch", "workload.portions=4", "workload.jobs=80"},
};

std::vector<std::string> with(std::vector<std::string> list, const std::vector<std::string>& more) {
  list.insert(list.end(), more.begin(), more.end());
  return list;
}

}  // namespace

TEST_CASE("every way of the Sparrow family completes every task, once") {
  for (const auto& way : ways)
    for (std::uint32_t seed = 0; seed < 3; ++seed) {
      CAPTURE(way);
      const auto outcome = run_scenario(base, seed, 0, {.command_line = way});
      check_sound(outcome);
      CHECK(metric(outcome, "completed") == static_cast<double>(outcome.tasks.size()));
      CHECK(metric(outcome, "duplicates") == 0);
      CHECK(metric(outcome, "reexecutions") == 0);
    }
}

TEST_CASE("no task is lost when three peers in ten crash, masters and executors among them") {
  for (std::uint32_t seed = 0; seed < test::seeds(50); ++seed)
    check_sound(
        run_scenario(base, seed, 0,
                     {.command_line = with(ways[seed % std::size(ways)],
                                           {"faults.crash_share=0.3", "faults.crash_until=18s"})}));
}

TEST_CASE("no task is lost to restarts, faster than a failure detector sees, and lost packets") {
  for (std::uint32_t seed = 0; seed < test::seeds(20); ++seed)
    check_sound(run_scenario(
        base, seed, 0,
        {.command_line =
             with(ways[seed % std::size(ways)],
                  {"faults.crash_share=0.3", "faults.crash_until=18s", "faults.restart_after=1s",
                   "network.loss=0.01", "network.duplication=0.01"})}));
}

// A worker's messages tell its life, so that a ping finds a lost life without an audit. Only an
// audit finds a lost result or a lost task.
TEST_CASE("lost packets hold short tasks up for seconds, not until an audit is due") {
  for (const std::vector<std::string>& way : {ways[0], ways[6]}) {
    double total = 0;
    constexpr std::uint32_t runs = 5;
    for (std::uint32_t seed = 0; seed < runs; ++seed) {
      const auto outcome = run_scenario(
          base, seed, 0,
          {.command_line = with(way, {"workload.portion_time=500ms", "network.loss=0.03"})});
      check_sound(outcome);
      total += metric(outcome, "makespan");
    }
    CHECK(total / runs < 40);  // the last of 300 jobs comes after 18 s
  }
}

TEST_CASE("a restart between two pings costs a few rounds of the detector, not an audit") {
  const std::vector<std::string> small = {"peers.count=12",
                                          "peers.slots=2",
                                          "peers.memory=2",
                                          "graph.out_degree=4",
                                          "workload.jobs=6",
                                          "workload.portions=4",
                                          "workload.portion_time=200ms",
                                          "workload.cpus=1",
                                          "workload.memory=1",
                                          "workload.spacing=100ms",
                                          "network.latency=constant",
                                          "network.delay=5ms",
                                          "faults.crash_share=0.3",
                                          "faults.restart_after=300ms",
                                          "scheduler.sparrow.detector_round=1s",
                                          "scheduler.sparrow.audit_after=20s"};
  for (const std::string sampling : {"late", "per-task", "batch"})
    for (std::uint32_t seed = 0; seed < test::seeds(40); ++seed) {
      const auto outcome = run_scenario(
          base, seed, 0, {.command_line = with(small, {"scheduler.sparrow.sampling=" + sampling})});
      CAPTURE(sampling);
      CAPTURE(seed);
      check_sound(outcome);
      CHECK(metric(outcome, "makespan") < 10);
    }
}

TEST_CASE("packets that come twice do not multiply probes, however far these may walk") {
  for (std::uint32_t seed = 0; seed < 3; ++seed) {
    const auto outcome = run_scenario(
        base, seed, 0,
        {.command_line = {"peers.count=6", "peers.slots=1", "graph.out_degree=2",
                          "workload.jobs=40", "workload.cpus=1", "workload.portion_time=100ms",
                          "workload.spacing=1ms", "network.duplication=0.15",
                          "scheduler.sparrow.probes=5", "scheduler.sparrow.hop_limit=60"}});
    check_sound(outcome);
    CHECK(metric(outcome, "scheduling_messages") < 25);
  }
}

TEST_CASE("no storm of probes where there are fewer peers that are large enough than probes") {
  for (const std::uint32_t seed : {3U, 4U, 5U, 6U, 7U}) {  // one or two have the resource
    CAPTURE(seed);
    const auto outcome = run_scenario(
        base, seed, 0,
        {.command_line = {"peers.count=5", "peers.slots=1", "workload.jobs=40", "workload.cpus=1",
                          "peers.resources.gpu=2", "peers.resources.gpu_share=0.384",
                          "workload.resources.gpu=1", "scheduler.sparrow.probes=4",
                          "scheduler.sparrow.hop_limit=145",
                          "scheduler.sparrow.probe_timeout=600ms"}});
    check_sound(outcome);
    CHECK(metric(outcome, "scheduling_messages") < 100);
  }
}

TEST_CASE("a run ends within a short grace though peers died that the source does not know") {
  for (std::uint32_t seed = 0; seed < 5; ++seed)
    check_sound(run_scenario(
        base, seed, 0,
        {.command_line = {"workload.jobs=3", "engine.grace=5s", "faults.crash_share=0.5",
                          "faults.crash_from=4s", "faults.crash_until=5s"}}));
}

TEST_CASE("no task is lost where the hub of a star dies, and links never change") {
  for (std::uint32_t seed = 0; seed < 5; ++seed)
    check_sound(
        run_scenario(base, seed, 0,
                     {.command_line = {"peers.count=12", "graph.kind=star", "workload.jobs=20",
                                       "scheduler.sparrow.view=graph", "faults.crash_share=0.5",
                                       "faults.crash_from=1ms", "faults.crash_until=100ms"}}));
}

TEST_CASE("no living peer is taken for dead") {
  for (std::uint32_t seed = 0; seed < 5; ++seed) {
    const auto outcome = run_scenario(base, seed);
    CHECK_FALSE(outcome.facts.any<overlay::PeerSuspected>());
  }
}

TEST_CASE("more probes wait less, and propagation less than either") {
  double waits[3] = {};
  for (std::uint32_t seed = 0; seed < 5; ++seed) {
    waits[0] +=
        metric(run_scenario(base, seed, 0, {.command_line = {"scheduler.sparrow.probes=1"}}),
               "mean_queueing");
    waits[1] += metric(run_scenario(base, seed), "mean_queueing");
    waits[2] += metric(run_scenario(base, seed, 0, {.command_line = ways[1]}), "mean_queueing");
  }
  CHECK(waits[1] < waits[0]);
  CHECK(waits[2] < waits[1]);
}

TEST_CASE("tasks that fit few peers only find them") {
  for (std::uint32_t seed = 0; seed < 5; ++seed)
    check_sound(
        run_scenario(base, seed, 0,
                     {.command_line = {"peers.slots=2", "peers.slots_max=12", "workload.cpus=1",
                                       "workload.cpus_max=8", "workload.spacing=400ms"}}));
}

// Such peers would get no task if only the number of free processors counted.
TEST_CASE("tasks find the few peers that have what they need, wherever the views lead") {
  for (const std::string view : {"cyclon", "gradient"})
    for (const std::string sampling : {"late", "per-task", "random"})
      for (std::uint32_t seed = 0; seed < 5; ++seed) {
        CAPTURE(view);
        CAPTURE(sampling);
        CAPTURE(seed);
        check_sound(run_scenario(
            base, seed, 0,
            {.command_line = {"peers.slots=1", "peers.slots_max=8", "peers.resources.gpu=1",
                              "peers.resources.gpu_share=0.2", "workload.resources.gpu=1",
                              "workload.resources.gpu_share=0.2", "workload.jobs=40",
                              "workload.cpus=1", "workload.portion_time=1s",
                              "workload.spacing=200ms", "engine.time_limit=5min",
                              "scheduler.sparrow.temperature=0", "scheduler.sparrow.view=" + view,
                              "scheduler.sparrow.sampling=" + sampling}}));
      }
}

TEST_CASE("a central scheduler with a delay takes it twice for each task, and no more") {
  const std::string central = base.substr(0, base.find("[[scheduler]]")) +
                              "[[scheduler]]\nuse = \"omniscient\"\ndelay = \"20ms\"\n";
  const auto outcome = run_scenario(central, 0, 0, {.command_line = {"workload.spacing=200ms"}});
  check_sound(outcome);
  for (const auto& task : outcome.tasks)
    CHECK(core::seconds(task.started_at - task.submitted_at) == doctest::Approx(0.04));
}

TEST_CASE("the omniscient bound waits least and sends nothing") {
  const std::string both = base + "[[scheduler]]\nuse = \"omniscient\"\n";
  for (std::uint32_t seed = 0; seed < 3; ++seed) {
    const auto outcome = run_scenario(both, seed, 1);
    check_sound(outcome);
    CHECK(metric(outcome, "scheduling_messages") == 0);
    CHECK(metric(outcome, "mean_queueing") <= metric(run_scenario(both, seed), "mean_queueing"));
  }
}

}  // namespace rhizome::sparrow_test
