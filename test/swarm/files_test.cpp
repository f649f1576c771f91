// Files in whole runs, in virtual time: how often and to which peers they are transferred, how long
// it takes, and that all files arrive despite faults.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "test/support/effort.hpp"
#include "test/support/experiments.hpp"

namespace rhizome::files_test {

using test::check_sound;
using test::metric;
using test::run_scenario;

namespace {

const std::string base = R"(
peers.count = 20
graph.mean_degree = 5
workload.jobs = 4
workload.portions = 30
workload.portion_time = "1s"
network.latency = "constant"
network.delay = "5ms"
engine.kind = "virtual"
engine.time_limit = "2h"
engine.grace = "10min"
files.chunk = 65536
files.output = 100000
[[files.input]]
name = "code"
size = 300000
[[files.input]]
name = "data"
size = 100000
per = "job"
)";

const std::string passing = base + test::passing_schedulers;

// The schedulers that survive loss and crashes.
constexpr std::size_t robust = 5;
const std::string survivors =
    base + test::schedulers({"organic-grid", "air-traffic", "hybrid", "vector", "sparrow"});

// One job, whose tasks need 8 MB over an uplink of 8 Mbit/s.
std::string one_file(const std::string& scheduler) {
  return R"(
peers.count = 3
peers.speed_min = 1
peers.speed_max = 1
workload.jobs = 1
workload.portions = 3
workload.portion_time = "1s"
network.latency = "constant"
network.delay = "1ms"
network.bandwidth_up = "8Mbit/s"
engine.kind = "virtual"
engine.time_limit = "2h"
[[files.input]]
name = "data"
size = 8000000
[[scheduler]]
use = ")" +
         scheduler + "\"\n";
}

}  // namespace

TEST_CASE("under every scheduler files are brought to a peer once, and all outputs are there") {
  for (std::size_t scheduler = 0; scheduler < test::passing; ++scheduler) {
    const auto outcome = run_scenario(passing, 0, scheduler);
    check_sound(outcome);
    INFO(outcome.identity.label);
    CHECK(metric(outcome, "completed") == 120);
    CHECK(metric(outcome, "file_fetches_most") == 1);
    CHECK(metric(outcome, "chunks_again") == 0);
    CHECK(outcome.facts.of<agents::files::OutputKept>().size() == 120);
    CHECK(metric(outcome, "file_wait") > 0);
    CHECK((metric(outcome, "file_hits") > 0 || outcome.identity.label == "sparrow-early"));
  }
}

TEST_CASE("with loss and duplication every output is there, and right") {
  const std::vector<std::string> bad{"network.loss=0.05", "network.duplication=0.05"};
  for (std::size_t scheduler = 0; scheduler < robust; ++scheduler)
    for (std::uint32_t seed = 0; seed < test::seeds(3); ++seed) {
      const auto outcome = run_scenario(survivors, seed, scheduler, {.command_line = bad});
      check_sound(outcome);
      INFO(outcome.identity.label);
      CHECK(metric(outcome, "completed") == 120);
      CHECK(outcome.facts.of<agents::files::OutputKept>().size() == 120);
      CHECK(metric(outcome, "chunks_again") > 0);
      CHECK(metric(outcome, "file_fetches_most") == 1);
    }
}

// A file that is one chunk takes four messages, so that most transfers lose one of them; each would
// cost the patience with a first transfer, which is for lines that are not known yet.
TEST_CASE("a lost chunk costs no more time than answers take, once the peer has received some") {
  const std::string text = R"(
peers.count = 9
workload.jobs = 20
workload.portions = 7
workload.portion_time = "10ms"
network.latency = "constant"
network.delay = "5ms"
network.loss = 0.2
engine.kind = "virtual"
engine.time_limit = "2h"
engine.grace = "10min"
files.output = 50000
[[files.input]]
size = 8000
per = "task"
[[scheduler]]
use = "air-traffic"
)";
  const auto outcome = run_scenario(text);
  check_sound(outcome);
  CHECK(metric(outcome, "completed") == 140);
  double took = 0;
  const auto& fetched = outcome.facts.of<agents::files::FileFetched>();
  for (const auto& noted : fetched) took += core::seconds(noted.fact.took);
  CHECK(fetched.size() > 2 * 140);
  CHECK(took / static_cast<double>(fetched.size()) <
        core::seconds(agents::files::Options{}.patience) / 2);
}

TEST_CASE("with loss and crashes every output is there, and right") {
  const std::vector<std::string> bad{"network.loss=0.05", "faults.crash_share=0.2",
                                     "faults.crash_until=20s", "faults.restart_after=10s"};
  for (std::size_t scheduler = 0; scheduler < robust; ++scheduler)
    for (std::uint32_t seed = 0; seed < test::seeds(3); ++seed) {
      const auto outcome = run_scenario(survivors, seed, scheduler, {.command_line = bad});
      check_sound(outcome);
      INFO(outcome.identity.label);
      CHECK(metric(outcome, "completed") == 120);
      CHECK(outcome.facts.of<agents::files::OutputKept>().size() == 120);
    }
}

// A carrier's patience is with its packet, and not with the files that this waits for.
TEST_CASE("no task runs twice because its files take long, where no peer fails") {
  const std::vector<std::string> slow{"peers.count=9",
                                      "graph.kind=ring",
                                      "workload.portions=60",
                                      "workload.portion_time=2s",
                                      "network.bandwidth_up=3Mbit/s",
                                      "network.bandwidth_down=3Mbit/s"};
  for (std::uint32_t seed = 0; seed < 3; ++seed) {
    const auto outcome = run_scenario(one_file("vector"), seed, 0, {.command_line = slow});
    check_sound(outcome);
    CHECK(metric(outcome, "completed") == 60);
    CHECK(metric(outcome, "duplicates") == 0);
    CHECK(metric(outcome, "reexecutions") == 0);
  }
}

// Two peers beside the source; each runs one task.
TEST_CASE("a transfer takes its size over the slower of both lines, shared fairly") {
  const std::string text = one_file("round-robin");
  const auto both = run_scenario(text);
  check_sound(both);
  const auto& fetched = both.facts.of<agents::files::FileFetched>();
  REQUIRE(fetched.size() == 2);
  for (const auto& noted : fetched)
    CHECK(core::seconds(noted.fact.took) == doctest::Approx(16).epsilon(0.08));
  const auto alone = run_scenario(text, 0, 0, {.command_line = {"peers.count=2"}});
  REQUIRE(alone.facts.of<agents::files::FileFetched>().size() == 1);
  CHECK(core::seconds(alone.facts.of<agents::files::FileFetched>()[0].fact.took) ==
        doctest::Approx(8).epsilon(0.05));
  const auto down = run_scenario(
      text, 0, 0, {.command_line = {"peers.count=2", "network.bandwidth_down=4Mbit/s"}});
  CHECK(core::seconds(down.facts.of<agents::files::FileFetched>()[0].fact.took) ==
        doctest::Approx(16).epsilon(0.05));
}

TEST_CASE("a cache without room brings files again, and nothing is lost") {
  const auto outcome =
      run_scenario(base + test::schedulers({"round-robin"}), 0, 0,
                   {.command_line = {"files.cache=1", "workload.spacing=20s", "files.output=0"}});
  check_sound(outcome);
  CHECK(metric(outcome, "completed") == 120);
  CHECK(metric(outcome, "file_fetches_most") > 1);
}

TEST_CASE("during a partition nothing is lost, and transfers go on where they stopped") {
  const std::string cut = R"(
[[network.partition]]
from = "1s"
until = "40s"
share = 0.5
)";
  for (std::uint32_t seed = 0; seed < 3; ++seed) {
    const auto outcome = run_scenario(base + cut + test::schedulers({"vector"}), seed, 0,
                                      {.command_line = {"network.bandwidth_up=4Mbit/s"}});
    check_sound(outcome);
    CHECK(metric(outcome, "completed") == 120);
  }
}

TEST_CASE("a run without files has no metrics of files, and no file stager") {
  const auto outcome = run_scenario(R"(
peers.count = 5
workload.jobs = 2
engine.kind = "virtual"
)" + test::schedulers({"round-robin"}));
  CHECK(std::isnan(metric(outcome, "input_bytes")));
  for (const auto& kind : outcome.kinds) CHECK(kind.service != "file stager");
}

TEST_CASE("20 MiB over 46 peers are moved once to every peer that needs them") {
  const std::string text = R"(
peers.count = 46
graph.mean_degree = 9
workload.jobs = 1
workload.portions = 200
workload.portion_time = "20s"
network.latency = "constant"
network.delay = "5ms"
network.bandwidth_up = "1Gbit/s"
network.bandwidth_down = "1Gbit/s"
engine.kind = "virtual"
engine.time_limit = "2h"
engine.grace = "10min"
[[files.input]]
name = "data"
size = 20971520
[[scheduler]]
use = "vector"
)";
  const auto outcome = run_scenario(text);
  check_sound(outcome);
  const double fetches = metric(outcome, "file_fetches");
  CHECK(fetches <= 45);
  CHECK(fetches > 40);
  CHECK(metric(outcome, "file_fetches_most") == 1);
  CHECK(metric(outcome, "chunks_again") == 0);
  CHECK(metric(outcome, "input_bytes") < fetches * 20971520 * 1.001);
}

TEST_CASE("files of 46 peers are there and right with a twentieth lost and a fifth crashed") {
  const std::string text = R"(
peers.count = 46
graph.mean_degree = 9
workload.jobs = 1
workload.portions = 200
workload.portion_time = "20s"
network.latency = "constant"
network.delay = "5ms"
network.loss = 0.05
network.bandwidth_up = "1Gbit/s"
network.bandwidth_down = "1Gbit/s"
faults.crash_share = 0.2
faults.crash_from = "1s"
faults.crash_until = "60s"
engine.kind = "virtual"
engine.time_limit = "2h"
engine.grace = "10min"
files.output = 131072
[[files.input]]
name = "data"
size = 20971520
[[scheduler]]
use = "vector"
)";
  const auto outcome = run_scenario(text);
  check_sound(outcome);
  CHECK(outcome.faults.size() == 9);
  CHECK(metric(outcome, "completed") == 200);
  CHECK(metric(outcome, "file_fetches_most") == 1);
  CHECK(metric(outcome, "chunks_again") > 0);
  CHECK(outcome.facts.of<agents::files::OutputKept>().size() == 200);
}

}  // namespace rhizome::files_test
