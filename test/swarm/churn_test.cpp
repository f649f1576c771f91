// Schedulers among peers that come and go all the time.
#include <doctest/doctest.h>

#include <chrono>
#include <string>

#include "test/support/effort.hpp"
#include "test/support/experiments.hpp"
#include "test/support/machine_failure.hpp"
#include "test/support/temporary_file.hpp"

namespace rhizome::churn_test {

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
use = "sparrow"
detector_round = "500ms"
audit_after = "5s"
)" + test::schedulers({"organic-grid", "air-traffic", "hybrid"});
constexpr std::size_t schedulers = 4;

// Nearly every peer is gone once before the work is done, and half of them at the same time.
const std::string churn = R"(
[[faults.mass]]
at = "2s"
share = 0.5
restart_after = "1s"
[faults.lifetimes]
distribution = "exponential"
mean = "6s"
downtime = "exponential"
downtime_mean = "1s"
)";

void check_seeds(const scenarios::Overrides& overrides = {}) {
  for (std::size_t scheduler = 0; scheduler < schedulers; ++scheduler)
    for (std::uint32_t seed = 0; seed < test::seeds(20); ++seed) {
      const auto outcome = run_scenario(base + churn, seed, scheduler, overrides);
      check_sound(outcome);
      CHECK(metric(outcome, "completed") == 60 * 18);
      CHECK(outcome.faults.size() > 30);
    }
}

}  // namespace

TEST_CASE(
    "when a machine fails all its peers stop at once for good, and the others do all the work") {
  const std::string text = R"(
peers.count = 30
workload.jobs = 60
engine.kind = "virtual"
engine.machines = 3
engine.grace = "30s"
[[faults.machine]]
at = "2s"
machine = 1
)" + test::schedulers({"organic-grid", "air-traffic", "sparrow"});
  for (const std::size_t scheduler : {0U, 1U, 2U}) {
    const auto outcome = run_scenario(text, 0, scheduler);
    check_sound(outcome);
    CHECK(metric(outcome, "completed") == 60 * 18);
    CHECK(outcome.faults.size() == 10);
    test::check_machine_failed(outcome, 10, 20, core::Time{std::chrono::seconds(2)});
  }
}

TEST_CASE("the shipped scenario of lifetimes completes every task under every scheduler") {
  const auto cells = scenarios::load_scenario(test::shipped("scenarios/lifetimes.toml"));
  for (std::size_t s = 0; s < cells.front().scenario.schedulers.size(); ++s) {
    const auto outcome = scenarios::run_once(cells.front(), s, 0, {}, nullptr);
    check_sound(outcome);
    CHECK(metric(outcome, "completed") == static_cast<double>(outcome.tasks.size()));
  }
}

TEST_CASE("no task is lost under exponential lifetimes and a mass failure") { check_seeds(); }

TEST_CASE("no task is lost under heavy-tailed lifetimes and a mass failure") {
  check_seeds({.command_line = {"faults.lifetimes.distribution=weibull",
                                "faults.lifetimes.downtime=pareto"}});
}

// To all but the Sparrow family a peer that leaves crashes.
TEST_CASE("no task is lost where peers leave") {
  check_seeds({.command_line = {"faults.lifetimes.ends_by=leave"}});
}

TEST_CASE("peers that join late find work, and the run is sound") {
  std::string joins;
  for (int peer = 0; peer < 60; peer += 2)
    joins +=
        "[[faults.event]]\nat = \"1500ms\"\nkind = \"join\"\npeer = " + std::to_string(peer) + "\n";
  for (std::size_t scheduler = 0; scheduler < schedulers; ++scheduler) {
    std::size_t by_joiners = 0;
    for (std::uint32_t seed = 0; seed < test::seeds(20); ++seed) {
      const auto outcome = run_scenario(base + joins, seed, scheduler);
      check_sound(outcome);
      for (const auto& task : outcome.tasks) by_joiners += task.executor.value % 2 == 0 ? 1 : 0;
    }
    CHECK(by_joiners > 0);
  }
}

// The cut itself belongs to the link, whose tests are in impairment_test.cpp.
TEST_CASE("a partition that heals costs time and loses no task") {
  const std::string cut = "[[network.partition]]\nfrom = \"1s\"\nuntil = \"3s\"\nshare = 0.4\n";
  for (std::size_t scheduler = 0; scheduler < schedulers; ++scheduler) {
    double cost = 0;
    for (std::uint32_t seed = 0; seed < test::seeds(10); ++seed) {
      const auto whole = run_scenario(base, seed, scheduler);
      const auto torn = run_scenario(base + cut, seed, scheduler);
      check_sound(torn);
      CHECK(metric(torn, "completed") == 60 * 18);
      cost += metric(torn, "makespan") - metric(whole, "makespan");
    }
    CHECK(cost > 0);
  }
}

namespace {

// One slot each and a high load, so that there are always placeholders that wait.
const std::string busy = R"(
peers.count = 20
graph.kind = "k-out"
graph.out_degree = 10
workload.jobs = 300
workload.portions = 1
workload.portion_time = "4s"
workload.spacing = "270ms"
network.latency = "lognormal"
network.delay = "40ms"
engine.kind = "virtual"
engine.time_limit = "30min"
engine.grace = "5min"
[[scheduler]]
use = "sparrow"
)";

void check_busy(const std::string& faults, const std::vector<std::string>& overrides = {}) {
  for (std::uint32_t seed = 0; seed < test::seeds(20); ++seed) {
    CAPTURE(faults);
    check_sound(
        run_scenario(faults.empty() ? busy : busy + faults, seed, 0, {.command_line = overrides}));
  }
}

}  // namespace

TEST_CASE("peers that are cut off at the end have their grace once the cut has healed") {
  const std::string text = R"(
peers.count = 40
peers.slots = 2
workload.jobs = 60
workload.portion_time = "100ms"
workload.spacing = "20ms"
engine.kind = "virtual"
network.partition = [{ from = "360ms", until = "1min", share = 0.3 }]
)" + test::schedulers({"organic-grid", "air-traffic", "hybrid", "sparrow", "vector"});
  for (std::size_t scheduler = 0; scheduler < 5; ++scheduler) {
    CAPTURE(scheduler);
    const auto outcome = run_scenario(text, 3, scheduler);
    CHECK(metric(outcome, "makespan") < 50);
    check_sound(outcome);
  }
}

TEST_CASE("placeholders lost with a life that its master missed lose no task of a busy Sparrow") {
  const std::string lives =
      "[faults.lifetimes]\ndistribution = \"exponential\"\nmean = \"20s\"\n"
      "downtime = \"constant\"\ndowntime_mean = \"500ms\"\nuntil = \"120s\"\n";
  check_busy(lives);
  check_busy("[[faults.mass]]\nat = \"20s\"\nshare = 0.5\nrestart_after = \"1s\"\n");
  for (const char* probes : {"scheduler.sparrow.probes=1", "scheduler.sparrow.probes=2"})
    check_busy("", {probes, "faults.crash_share=0.5", "faults.crash_from=20s",
                    "faults.crash_until=40s", "faults.restart_after=1s"});
  check_busy(lives, {"scheduler.sparrow.binding=per-job"});
}

TEST_CASE("a cut as long as a failure detector's patience, or longer, loses no task of Sparrow") {
  const auto cut = [](const char* until, const char* share) {
    return std::string("[[network.partition]]\nfrom = \"20s\"\nuntil = \"") + until +
           "\"\nshare = " + share + "\n";
  };
  check_busy(cut("29s", "0.4"), {"scheduler.sparrow.probes=1"});
  check_busy(cut("45s", "0.4"));
  check_busy(cut("250s", "0.3"));
  // A cut so short that no peer is taken for dead, and long enough to empty a view.
  check_busy(cut("26s", "0.05"),
             {"peers.slots_max=4", "workload.cpus_max=3", "workload.spacing=600ms"});
}

TEST_CASE("a peer that restarts after the end hears of it, though messages are lost") {
  check_busy("[[faults.mass]]\nat = \"40s\"\nshare = 0.6\nrestart_after = \"150s\"\n",
             {"network.loss=0.1", "workload.jobs=150"});
}

TEST_CASE("a master that comes back from a cut does not run tasks that others were given") {
  const std::string cut = "[[network.partition]]\nfrom = \"5s\"\nuntil = \"25s\"\nshare = 0.4\n";
  double duplicates = 0;
  for (std::uint32_t seed = 0; seed < test::seeds(10); ++seed)
    duplicates += metric(run_scenario(busy + cut, seed, 0, {.command_line = {"workload.jobs=600"}}),
                         "duplicates");
  CHECK(duplicates / 10 < 60);  // of 600: only those of the twenty seconds
}

}  // namespace rhizome::churn_test
