#include <doctest/doctest.h>

#include <utility>

#include "agents/facts.hpp"
#include "test/support/effort.hpp"
#include "test/support/experiments.hpp"

namespace rhizome::air_traffic_test {

using test::check_sound;
using test::metric;
using test::run_scenario;

namespace {

const std::string base = R"(
peers.count = 60
workload.jobs = 60
engine.kind = "virtual"
engine.time_limit = "5min"
engine.grace = "30s"
[[scheduler]]
use = "air-traffic"
)";

template <class F>
std::size_t count_facts(const scenarios::Outcome& outcome, std::string_view reason) {
  std::size_t count = 0;
  for (const auto& noted : outcome.facts.of<F>()) count += noted.fact.reason == reason;
  return count;
}

// Where the jobs of this world arrive.
core::PeerId queue_of(const scenarios::Outcome& outcome) {
  const auto& submitted = outcome.facts.of<agents::TaskSubmitted>();
  return submitted.empty() ? core::no_peer : submitted.front().peer;
}

}  // namespace

TEST_CASE("Air Traffic Control executes every task once in twenty different worlds") {
  for (std::uint32_t seed = 0; seed < test::seeds(20); ++seed) {
    const auto outcome = run_scenario(base, seed);
    check_sound(outcome);
    CHECK(metric(outcome, "completed") == 60 * 18);
    for (const auto& task : outcome.tasks) REQUIRE(task.executions == 1);
  }
}

// A leader that asked again while its job was on the way was once sent the job twice.
TEST_CASE("a job that crosses its leader's next question is not sent twice") {
  for (std::uint32_t seed = 0; seed < test::seeds(20); ++seed) {
    const auto outcome = run_scenario(
        base, seed, 0,
        {.command_line = {"network.latency=constant", "network.delay=1ms", "peers.count=106",
                          "workload.jobs=200", "scheduler.air-traffic.leaders=5",
                          "scheduler.air-traffic.bundled=true",
                          "scheduler.air-traffic.reorganise=false"}});
    check_sound(outcome);
    CHECK(metric(outcome, "job_messages") == 200 * (1 + 18));
  }
}

// Peterson, section 5.2: the queue sends a job in one message, the controllers send each portion.
TEST_CASE("static controllers with bundled jobs send the published number of job messages") {
  for (const auto& [jobs, published] : {std::pair{200, 3800}, {800, 15200}}) {
    const auto outcome =
        run_scenario(base, 0, 0,
                     {.command_line = {"peers.count=106", "scheduler.air-traffic.leaders=5",
                                       "scheduler.air-traffic.bundled=true",
                                       "scheduler.air-traffic.reorganise=false",
                                       "workload.jobs=" + std::to_string(jobs)}});
    check_sound(outcome);
    CHECK(metric(outcome, "job_messages") == published);
  }
}

// A job of thousands of portions in one message was once refused by its receiver, for ever.
TEST_CASE("bundled jobs of thousands of portions travel in messages that can be read") {
  const auto outcome = run_scenario(
      base, 0, 0,
      {.command_line = {"peers.count=9", "peers.slots=1000", "workload.jobs=1",
                        "workload.portions=7500", "scheduler.air-traffic.bundled=true"}});
  check_sound(outcome);
  CHECK(metric(outcome, "completed") == 7500);
}

TEST_CASE("unbundled, every portion costs two job messages: it is two hops from the queue") {
  const auto outcome = run_scenario(base);
  CHECK(metric(outcome, "job_messages") == 2 * 60 * 18);
  CHECK(metric(outcome, "result_messages") == 2 * 60 * 18);
}

TEST_CASE("groups merge for jobs that are too large and split for jobs that are small") {
  const auto large = run_scenario(
      base, 0, 0,
      {.command_line = {"workload.portions=30", "workload.spacing=2s", "workload.jobs=10"}});
  check_sound(large);
  CHECK(count_facts<agents::GroupChanged>(large, "merged") > 0);
  const auto small =
      run_scenario(base, 0, 0, {.command_line = {"workload.portions=5", "workload.jobs=100"}});
  check_sound(small);
  CHECK(count_facts<agents::GroupChanged>(small, "reorganised") > 0);
}

TEST_CASE("a job larger than all groups together runs in rounds") {
  const auto outcome =
      run_scenario(base, 0, 0, {.command_line = {"workload.portions=500", "workload.jobs=2"}});
  check_sound(outcome);
  CHECK(metric(outcome, "completed") == 1000);
}

TEST_CASE("the death of the queue ends the run within a few time-outs, and says why") {
  const core::PeerId source = queue_of(run_scenario(base));
  const auto dead = run_scenario(
      base + "[[faults.event]]\nat = \"1s\"\npeer = " + std::to_string(source.value) + "\n", 0);
  CHECK(count_facts<agents::RunFailed>(dead, "the queue is dead") > 0);
  CHECK_FALSE(dead.violations.empty());
  CHECK(core::seconds(dead.ended) < 1 + 8 * 2);  // eight time-outs
}

TEST_CASE("a queue that restarts has lost what was done, and notes it") {
  const core::PeerId source = queue_of(run_scenario(base));
  const auto reborn =
      run_scenario(base + "[[faults.event]]\nat = \"1s\"\nrestart_after = \"1s\"\npeer = " +
                       std::to_string(source.value) + "\n",
                   0);
  CHECK(count_facts<agents::RunFailed>(reborn, "the queue died, and with it what was done") == 1);
  for (const auto& task : reborn.tasks) REQUIRE(task.completions <= 1);
  CHECK(core::seconds(reborn.ended) < 5);
}

TEST_CASE("a run whose workers are all dead fails instead of hanging") {
  const auto alone = run_scenario(base + "[[faults.mass]]\nat = \"1s\"\nshare = 1.0\n", 0, 0,
                                  {.command_line = {"peers.count=10"}});
  CHECK(count_facts<agents::RunFailed>(alone, "no worker is left") == 1);
}

// Leaders that were cut off once ended the queue that they had given up.
TEST_CASE("a cut that heals loses no task, however long the queue was out of reach") {
  for (const char* until : {"13s", "41s"})
    for (std::uint32_t seed = 0; seed < test::seeds(15); ++seed) {
      const auto outcome = run_scenario(
          base + "[[network.partition]]\nfrom = \"1s\"\nuntil = \"" + until + "\"\nshare = 0.4\n",
          seed, 0,
          {.command_line = {"peers.count=30", "workload.portions=6", "workload.spacing=500ms",
                            "workload.jobs=100", "engine.grace=2min"}});
      check_sound(outcome);
      REQUIRE(count_facts<agents::RunFailed>(outcome, "the queue is dead") == 0);
    }
}

// All other peers doubted it and gave it up for good.
TEST_CASE("a queue that alone was cut off calls back the peers that gave it up") {
  std::size_t given_up = 0;
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    const auto outcome = run_scenario(
        base + "[[network.partition]]\nfrom = \"1s\"\nuntil = \"31s\"\nshare = 1.0\n", seed, 0,
        {.command_line = {"peers.count=5", "workload.portions=6", "workload.spacing=500ms",
                          "workload.jobs=20"}});
    check_sound(outcome);
    if (count_facts<agents::RunFailed>(outcome, "the queue is dead") > 0) ++given_up;
  }
  CHECK(given_up == 20);
}

// A worker that had no group once refused its new leader's roster for ever; late answers were taken
// for lost ones.
TEST_CASE("without a fault nothing is done or sent twice, however long and uneven the delays") {
  for (const auto& [latency, delay] :
       {std::pair{"latency=uniform", "delay_max=400ms"}, {"latency=constant", "delay=300ms"}})
    for (const bool bundled : {false, true})
      for (std::uint32_t seed = 0; seed < test::seeds(10); ++seed) {
        const auto outcome = run_scenario(
            base, seed, 0,
            {.command_line = {
                 std::string("network.") + latency, std::string("network.") + delay,
                 "peers.count=24", "peers.slots_max=3", "workload.portions=9",
                 "workload.spacing=700ms",
                 std::string("scheduler.air-traffic.bundled=") + (bundled ? "true" : "false")}});
        check_sound(outcome);
        for (const auto& task : outcome.tasks) {
          REQUIRE(task.executions == 1);
          REQUIRE(task.duplicates == 0);
        }
        std::uint64_t moved = 0;
        for (const auto& peer : outcome.peers)
          for (const core::BurdenRow& row : peer.burdens)
            if (row.message_class == core::MessageClass::job) moved += row.sent.units;
        CHECK(moved == 2 * outcome.tasks.size());  // queue, leader, worker: two hops
      }
}

}  // namespace rhizome::air_traffic_test
