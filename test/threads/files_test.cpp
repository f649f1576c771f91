// Files on real threads, where chunks are real packets between real inboxes.
#include <doctest/doctest.h>

#include <string>

#include "test/support/experiments.hpp"

namespace rhizome::files_test {

using test::check_sound;
using test::metric;
using test::run_scenario;

TEST_CASE(
    "on threads files are brought once to every peer that needs them, loss and crashes or not") {
  const std::string text = R"(
peers.count = 12
graph.mean_degree = 4
workload.jobs = 1
workload.portions = 48
workload.portion_time = "500ms"
network.latency = "constant"
network.delay = "5ms"
engine.kind = "threads"
engine.time_scale = 4
engine.time_limit = "10min"
engine.grace = "2min"
files.output = 100000
[[files.input]]
name = "data"
size = 1000000
[[scheduler]]
use = "vector"
)";
  const auto calm = run_scenario(text);
  check_sound(calm);
  CHECK(metric(calm, "completed") == 48);
  CHECK(metric(calm, "file_fetches_most") == 1);
  CHECK(calm.facts.of<agents::files::OutputKept>().size() == 48);
  const auto bad = run_scenario(
      text, 0, 0,
      {.command_line = {"network.loss=0.05", "faults.crash_share=0.2", "faults.crash_until=2s"}});
  check_sound(bad);
  CHECK(metric(bad, "completed") == 48);
  CHECK(bad.facts.of<agents::files::OutputKept>().size() == 48);
}

}  // namespace rhizome::files_test
