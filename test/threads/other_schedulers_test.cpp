// Sparrow, vector scheduling and a slice of a trace on real threads, small enough for the
// sanitizers.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "test/support/effort.hpp"
#include "test/support/experiments.hpp"
#include "test/support/temporary_file.hpp"

namespace rhizome::other_schedulers_test {

using test::check_sound;
using test::metric;
using test::run_scenario;

namespace {

const std::string sparrow = R"(
peers.count = 40
peers.slots = 4
graph.kind = "k-out"
graph.out_degree = 10
workload.jobs = 120
workload.portions = 1
workload.portion_time = "2s"
workload.cpus = 2
workload.spacing = "50ms"
network.latency = "lognormal"
network.delay = "40ms"
engine.kind = "threads"
engine.time_scale = 5
engine.time_limit = "5min"
engine.grace = "60s"
[[scheduler]]
use = "sparrow"
self_assign = true
max_hops = 5
view = "gradient"
detector_round = "1s"
audit_after = "10s"
)";

// A fifth of the peers crash while the work spreads.
const std::string crashing_vector = R"(
peers.count = 12
graph.mean_degree = 4
workload.jobs = 1
workload.portions = 60
workload.portion_time = "1s"
engine.kind = "threads"
engine.time_scale = 10
engine.time_limit = "10min"
engine.grace = "2min"
faults.crash_share = 0.2
faults.crash_from = "20ms"
faults.crash_until = "100ms"
[[scheduler]]
use = "vector"
)";

}  // namespace

TEST_CASE("the run of a program that fails ends while other programs hang") {
  const auto outcome = run_scenario(R"(
peers.count = 4
graph.kind = "complete"
workload.jobs = 1
workload.portions = 4
engine.kind = "threads"
[[scheduler]]
use = "program"
command = "python3 bad_peer.py dies-while-others-hang"
answer_within = "1000s"
directory = ")" + test::shipped("test/support/programs") +
                                    "\"\n");
  CHECK_MESSAGE(outcome.failure.find("this is my end") != std::string::npos, outcome.failure);
}

TEST_CASE("no task of the Sparrow family is lost on threads when three peers in ten crash") {
  for (std::uint32_t seed = 0; seed < test::seeds(2); ++seed) {
    const auto outcome = run_scenario(
        sparrow, seed, 0, {.command_line = {"faults.crash_share=0.3", "faults.crash_until=6s"}});
    check_sound(outcome);
    CHECK(metric(outcome, "completed") == 120);
    CHECK(outcome.faults.size() == 12);
  }
}

TEST_CASE("no task is lost under vector scheduling on threads when a fifth of the peers crash") {
  const std::vector<std::string> published{"peers.count=46",        "graph.mean_degree=9",
                                           "workload.portions=200", "workload.portion_time=5s",
                                           "engine.time_scale=20",  "faults.crash_from=2s",
                                           "faults.crash_until=30s"};
  for (std::uint32_t seed = 0; seed < test::seeds(2); ++seed) {
    const auto outcome = run_scenario(crashing_vector, seed, 0, {.command_line = published});
    check_sound(outcome);
    CHECK(metric(outcome, "completed") == 200);
    CHECK(outcome.faults.size() == 9);
  }
}

TEST_CASE("a peer that restarts while a run ends at forty-fold time is waited for, or stays dead") {
  for (std::uint32_t seed = 0; seed < test::seeds(12); ++seed)
    check_sound(
        run_scenario(sparrow, seed, 0,
                     {.command_line = {"peers.count=12", "workload.jobs=12", "engine.time_scale=40",
                                       "faults.crash_share=0.5", "faults.crash_until=8s",
                                       "faults.restart_after=1s"}}));
}

TEST_CASE("a slice of the Google trace runs on threads under both schedulers") {
  const scenarios::Overrides slice{
      .command_line = {"engine.kind=threads", "engine.time_scale=100", "peers.count=40",
                       "workload.max_jobs=8", "workload.duration_scale=0.02",
                       "workload.time_compression=100", "run.repetitions=1"}};
  const auto cells = scenarios::load_scenario(test::shipped("scenarios/google-sample.toml"), slice);
  for (std::size_t s = 0; s < cells.front().scenario.schedulers.size(); ++s) {
    const auto outcome = scenarios::run_once(cells.front(), s, 0, {}, nullptr);
    check_sound(outcome);
    CHECK(metric(outcome, "completed") == static_cast<double>(outcome.tasks.size()));
  }
}

TEST_CASE("real work on threads is all done, and right, when a fifth of the peers crash") {
  const std::vector<std::string> matrix{"workload.work=matrix", "workload.matrix_order=128"};
  const std::vector<std::string> cg{"workload.work=cg", "workload.portions=24"};
  for (const auto& work : {matrix, cg}) {
    const auto outcome = run_scenario(crashing_vector, 0, 0, {.command_line = work});
    check_sound(outcome);
    CHECK(outcome.faults.size() == 2);
    CHECK(metric(outcome, "completed") == static_cast<double>(outcome.tasks.size()));
    CHECK(metric(outcome, "wrong_results") == 0);
  }
}

}  // namespace rhizome::other_schedulers_test
