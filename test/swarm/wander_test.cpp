// Tasks that wander, and how they are found, in whole runs in virtual time.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "test/support/effort.hpp"
#include "test/support/experiments.hpp"

namespace rhizome::wander_test {

using test::check_sound;
using test::metric;
using test::run_scenario;

namespace {

const std::string base = R"(
network.latency = "constant"
network.delay = "50ms"
peers.count = 12
workload = { kind = "matrix", dims = 6, tg_prob_connected = 0.5, independent = 10, portion_time = "200ms" }
engine.kind = "virtual"
[[scheduler]]
use = "wander"
stay = "200ms"
)";

std::vector<std::string> ways() {
  std::vector<std::string> all;
  for (const char* cleanup : {"none", "at-start", "by-count", "both"})
    for (const char* compression : {"true", "false"})
      all.push_back("scheduler.wander.cleanup=" + std::string(cleanup) +
                    ",scheduler.wander.compression=" + compression);
  for (const char* kind : {"registry", "ring", "eager", "broadcast"})
    all.push_back("scheduler.wander.locator=" + std::string(kind));
  return all;
}

// The parts of a text between commas.
std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t first = 0; first <= text.size();) {
    const std::size_t end = std::min(text.find(',', first), text.size());
    parts.push_back(text.substr(first, end - first));
    first = end + 1;
  }
  return parts;
}

void check_run(const std::string& way, std::uint32_t repetition,
               const std::vector<std::string>& more) {
  std::vector<std::string> line = parts_of(way);
  line.insert(line.end(), more.begin(), more.end());
  CAPTURE(line);
  const auto outcome = run_scenario(base, repetition, 0, {.command_line = line});
  check_sound(outcome);
  CHECK(metric(outcome, "completed") == 46);
  CHECK(metric(outcome, "duplicates") == 0);
}

}  // namespace

TEST_CASE("tasks that wander are found in every way, and all are done") {
  for (const std::string& way : ways())
    for (std::uint32_t seed = 0; seed < test::seeds(3); ++seed) check_run(way, seed, {});
}

TEST_CASE("tasks that wander lose nothing where messages are lost and doubled") {
  for (const std::string& way : ways())
    for (std::uint32_t seed = 0; seed < test::seeds(3); ++seed)
      check_run(way, seed, {"network.loss=0.1", "network.duplication=0.1"});
}

TEST_CASE("tasks that may begin early or be called back are done as well") {
  for (std::uint32_t seed = 0; seed < test::seeds(6); ++seed)
    check_run(
        "scheduler.wander.begin_early=true,scheduler.wander.call_off=true", seed,
        {"network.loss=0.1", "scheduler.wander.inform_last_k=2", "scheduler.wander.find_first=1"});
}

TEST_CASE("where no message is lost, a locator without repetition or answers settles every task") {
  const auto outcome = run_scenario(base, 0, 0, {.command_line = {"scheduler.wander.repeat=0s"}});
  check_sound(outcome);
  CHECK(metric(outcome, "completed") == 46);
  const auto& noted = outcome.facts.of<agents::locator::TaskSettled>();
  CHECK(noted.size() == 46 * 4);  // where it entered, and after each of three moves
}

}  // namespace rhizome::wander_test
