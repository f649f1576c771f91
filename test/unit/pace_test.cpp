#include "agents/pace.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "scenarios/experiment/conditions.hpp"
#include "scenarios/experiment/effort.hpp"
#include "scenarios/experiment/experiment.hpp"
#include "scenarios/format/effective.hpp"
#include "scenarios/format/parser.hpp"
#include "scenarios/format/unsaid.hpp"

namespace rhizome::pace_test {

using namespace scenarios;
using namespace std::chrono_literals;

namespace {

agents::World tasks_of(double seconds, core::Duration longest_delay = {}) {
  agents::World world;
  world.profile.tasks = 2;
  world.profile.work = 2 * seconds;
  world.longest_delay = longest_delay;
  return world;
}

std::string scenario_with(const std::string& scheduler) {
  return "peers = { count = 8, speed_min = 1, speed_max = 1 }\n"
         "workload = { jobs = 4, portions = 6, portion_time = \"1000s\" }\n"
         "engine.kind = \"virtual\"\n[run]\nrepetitions = 1\n[[scheduler]]\nuse = \"" +
         scheduler + "\"\n";
}

Cell cell_of(const std::string& text, const std::vector<std::string>& changes = {}) {
  return parse_scenario(text, "s.toml", {.command_line = changes}).front();
}

Scenario completed(const std::string& scheduler, const std::vector<std::string>& changes = {}) {
  const Scenario said = cell_of(scenario_with(scheduler), changes).scenario;
  return complete(said, make_surroundings(said, 1).world);
}

core::Duration time_of(Scenario scenario, const std::string& key) {
  SchedulerChoice& choice = scenario.schedulers.front();
  for (const core::Setting& setting : choice.scheduler->settings)
    if (setting.name == key)
      return std::get<core::Duration>(setting.read(choice.scheduler->address(choice.options)));
  FAIL("no option " << key);
  return {};
}

double events_of(const std::string& scheduler, const std::vector<std::string>& changes = {}) {
  const Scenario said = cell_of(scenario_with(scheduler), changes).scenario;
  const agents::World world = make_surroundings(said, 1).world;
  return efforts_of(complete(said, world), world).front().events;
}

}  // namespace

TEST_CASE("times left unsaid stand as they are up to a mean task of 20 s") {
  for (const double task : {0.0, 0.1, 15.5, 20.0}) {
    CHECK(agents::in_pace(2s, tasks_of(task)) == 2s);
    CHECK(agents::in_pace(250ms, tasks_of(task), agents::TimeoutPurpose::freshness) == 250ms);
  }
}

TEST_CASE("from a mean task of 50 s on, 2 s are a quarter of it") {
  for (const double task : {52.0, 300.0, 1172.0})
    CHECK(agents::in_pace(2s, tasks_of(task)) == core::from_seconds(task / 4));
}

TEST_CASE("a little more work makes times a little longer, and never shorter") {
  core::Duration before{0};
  for (double task = 15; task < 70; task += 0.1) {
    const core::Duration now = agents::in_pace(2s, tasks_of(task));
    CHECK(now >= before);
    if (before > 0s) CHECK(now - before <= 1s);
    before = now;
  }
}

TEST_CASE("periods that only keep links fresh grow to two time-outs, and no longer") {
  CHECK(agents::in_pace(250ms, tasks_of(30), agents::TimeoutPurpose::freshness) == 1266ms);
  CHECK(agents::in_pace(250ms, tasks_of(1000), agents::TimeoutPurpose::freshness) ==
        2 * agents::in_pace(2s, tasks_of(1000)));
}

TEST_CASE(
    "how much less often a sign of life comes at rest grows with the pace, up to eight times") {
  for (const auto& [task, times] : {std::pair{20.0, 1}, {40.0, 4}, {64.0, 8}, {1000.0, 8}})
    CHECK(agents::in_pace(1, tasks_of(task), agents::TimeoutPurpose::rest) == times);
}

TEST_CASE("times that work waits for are at most a hundredth of a task") {
  CHECK(agents::in_pace(1s, tasks_of(100), agents::TimeoutPurpose::work) == 1s);
  CHECK(agents::in_pace(1s, tasks_of(1170), agents::TimeoutPurpose::work) == 12s);
}

TEST_CASE(
    "where packets take long, a time-out of 2 s becomes five times as long as they may take") {
  using agents::TimeoutPurpose;
  for (const core::Duration delay : {10ms, 500ms})
    CHECK(agents::in_pace(2s, tasks_of(1, delay)) == 2s);
  CHECK(agents::in_pace(2s, tasks_of(1, 600ms)) == 3s);
  CHECK(agents::in_pace(2s, tasks_of(1, 9s)) == 45s);
  CHECK(agents::in_pace(2s, tasks_of(1000, 9s)) == 250s);  // tasks ask for more
  // Times that no task waits for do not follow packets.
  CHECK(agents::in_pace(250ms, tasks_of(1, 9s), TimeoutPurpose::freshness) == 250ms);
  CHECK(agents::in_pace(1s, tasks_of(1, 9s), TimeoutPurpose::work) == 1s);
  CHECK(agents::in_pace(1, tasks_of(1, 9s), TimeoutPurpose::rest) == 1);
}

TEST_CASE("no delay of packets refuses a scheduler whose times are unsaid") {
  for (const char* scheduler : {"organic-grid", "air-traffic", "hybrid", "vector", "sparrow"})
    for (const char* delay : {"0.433s", "0.5001s", "0.77777s", "1.2347s", "3s", "27s", "5min"}) {
      CAPTURE(scheduler);
      CAPTURE(delay);
      CHECK_NOTHROW(completed(scheduler, {"workload.portion_time=1s", "network.latency=constant",
                                          "network.delay=" + std::string(delay)}));
    }
}

TEST_CASE("unset times of a scheduler follow long tasks, and set ones are kept") {
  CHECK(time_of(completed("organic-grid"), "timeout") == 250s);
  CHECK(time_of(completed("organic-grid"), "ask_again") == 10s);
  CHECK(time_of(completed("sparrow"), "shuffle_period") == 500s);
  CHECK(time_of(completed("sparrow"), "detector_round") == 375s);
  const auto said = completed("organic-grid",
                              {"scheduler.organic-grid.timeout=2s", "workload.portion_time=1000s"});
  CHECK(time_of(said, "timeout") == 2s);
  CHECK(time_of(said, "ask_again") == 10s);
  CHECK(time_of(completed("organic-grid", {"workload.portion_time=20s"}), "timeout") == 2s);
}

TEST_CASE("a time of 0 that turns a mechanism off stays 0") {
  CHECK(time_of(completed("organic-grid"), "give_up") == 0s);
}

TEST_CASE("a run whose grace and limit are unsaid has time for its workload") {
  CHECK(completed("organic-grid").engine.grace == 1250s);
  CHECK(completed("organic-grid", {"engine.grace=3s"}).engine.grace == 3s);
  // 24 tasks of 1000 s at 8 peers take 3000 s, after the last job has come, and the last of them as
  // long as one takes.
  const std::vector<std::string> days{"workload.spacing=10h"};
  CHECK(completed("organic-grid").engine.time_limit == 4 * (3000s + 1000s));
  CHECK(completed("organic-grid", days).engine.time_limit == 4 * (30h + 3000s + 1000s));
  CHECK(completed("organic-grid", {"workload.portion_time=100s"}).engine.time_limit == 1h);
  CHECK(completed("organic-grid", {"engine.time_limit=2h"}).engine.time_limit == 2h);
  CHECK(completed("organic-grid", {"engine.kind=threads"}).engine.time_limit == 1h);
}

TEST_CASE("the effective scenario leaves times unset that follow the workload") {
  const std::string text = effective_toml(completed("sparrow"));
  CHECK(text.find("# follows the workload: shuffle_period = \"500s\"\n") != std::string::npos);
  CHECK(text.find("# follows the workload: time_limit = \"16000s\"\n") != std::string::npos);
  const std::string months =
      effective_toml(completed("sparrow", {"workload.portion_time=100000s"}));
  CHECK(months.find("# follows the workload: shuffle_period = \"50000s\"  (13.9h)\n") !=
        std::string::npos);
  const Scenario again = cell_of(text).scenario;
  CHECK(again.schedulers.front().said.count("shuffle_period") == 0);
  CHECK(time_of(again, "shuffle_period") == 250ms);
  const std::string said =
      effective_toml(completed("sparrow", {"scheduler.sparrow.audit_after=5s", "engine.grace=5s"}));
  CHECK(said.find("\naudit_after = \"5s\"\n") != std::string::npos);
  CHECK(said.find("\ngrace = \"5s\"\n") != std::string::npos);
}

TEST_CASE("every time that follows the workload tells how it does") {
  for (const agents::Scheduler& scheduler : agents::catalogue())
    for (const core::Setting& setting : scheduler.settings) {
      const bool told =
          meaning_of(scheduler, setting).find("If it is not set") != std::string::npos;
      const bool follows =
          setting.kind == core::SettingKind::duration || scheduler.times.contains(setting.name);
      CHECK_MESSAGE(told == follows, setting.name);
    }
  const Section& faults = *find_section("faults");
  CHECK(meaning_of(faults, *faults.find("crash_until")).find("If it is not set") !=
        std::string::npos);
  for (const char* key : {"grace", "time_limit"}) {
    const Section& engine = *find_section("engine");
    CHECK(meaning_of(engine, *engine.find(key)).find("If it is not set") != std::string::npos);
  }
}

TEST_CASE("a key that has no effect is not taken as said because the workload made it longer") {
  CHECK_NOTHROW(completed(
      "sparrow", {"scheduler.sparrow.view=graph", "graph.kind=k-out", "graph.out_degree=5"}));
  CHECK_THROWS(completed("sparrow", {"scheduler.sparrow.view=graph", "graph.kind=k-out",
                                     "graph.out_degree=5", "scheduler.sparrow.shuffle_period=1s"}));
}

TEST_CASE("the cause of longer unset times is told: the tasks, or the packets") {
  const auto remark = [](core::Duration delay) { return remark_on_pace(tasks_of(1, delay)); };
  CHECK(remark(500ms).empty());
  CHECK(remark(2s) ==
        "time-outs that are not set are 5 times as long as by default: a packet may take 2s on its "
        "way");
  CHECK(remark_on_pace(tasks_of(1000, 2s)).ends_with("a task takes 16.7min on average"));
}

TEST_CASE("a long factor of times is told in whole times") {
  CHECK(remark_on_pace(tasks_of(100'000, 0s))
            .starts_with("time-outs that are not set are 12500 times as long"));
}

TEST_CASE("a set time that contradicts the unset ones is refused with their length") {
  std::string said;
  try {
    static_cast<void>(completed("organic-grid", {"scheduler.organic-grid.give_up=20s"}));
  } catch (const InputError& error) {
    said = error.what();
  }
  CHECK(
      said.find("give_up must be 0 or at least four time-outs (time-outs that are not set are 125 "
                "times "
                "as long as by default: a task takes 16.7min on average)") != std::string::npos);
}

TEST_CASE(
    "a workload of days ends with every scheduler whose times are unsaid, within the "
    "events that were estimated") {
  for (const char* scheduler :
       {"organic-grid", "air-traffic", "hybrid", "sparrow", "master-worker", "coordinator"}) {
    CAPTURE(scheduler);
    const Cell cell = cell_of(scenario_with(scheduler), {"workload.spacing=10h"});
    const Outcome outcome = run_once(cell, 0, 0, {}, nullptr);
    CHECK(outcome.ending == core::Ending::finished);
    CHECK(outcome.violations.empty());
    const auto events = static_cast<double>(outcome.events);
    const double estimated = events_of(scheduler, {"workload.spacing=10h"});
    CHECK(events < roughness * estimated);
    CHECK(events > estimated / roughness);
  }
}

TEST_CASE(
    "groups that rest spare most messages of idle hours, and the work waits no longer for it") {
  const std::vector<std::string> idle{"workload.spacing=10h", "peers.count=40"};
  std::vector<std::string> awake = idle;
  awake.push_back("scheduler.air-traffic.rest=1");
  const Outcome rests = run_once(cell_of(scenario_with("air-traffic"), idle), 0, 0, {}, nullptr);
  const Outcome beats = run_once(cell_of(scenario_with("air-traffic"), awake), 0, 0, {}, nullptr);
  CHECK(rests.violations.empty());
  CHECK(rests.ending == core::Ending::finished);
  CHECK(2 * rests.events < beats.events);
  CHECK(core::seconds(rests.ended) == doctest::Approx(core::seconds(beats.ended)).epsilon(0.02));
}

TEST_CASE("a group at rest gets over the deaths of its peers") {
  for (std::uint32_t repetition = 0; repetition < 5; ++repetition) {
    const Outcome outcome =
        run_once(cell_of(scenario_with("air-traffic"),
                         {"workload.spacing=5h", "peers.count=30", "faults.crash_share=0.3",
                          "engine.time_limit=1000h", "faults.crash_from=1h",
                          "faults.crash_until=10h", "network.loss=0.05"}),
                 0, repetition, {}, nullptr);
    CAPTURE(repetition);
    CHECK(outcome.ending == core::Ending::finished);
    for (const auto& violation : outcome.violations) CHECK(violation.text == "");
  }
}

TEST_CASE("longer time-outs and fewer exchanges are estimated to take less") {
  CHECK(events_of("organic-grid", {"scheduler.organic-grid.timeout=2s"}) >
        50 * events_of("organic-grid"));
  const std::vector<std::string> calm{"scheduler.sparrow.view=graph", "graph.kind=k-out",
                                      "graph.out_degree=5"};
  CHECK(events_of("sparrow", calm) < events_of("sparrow"));
  CHECK(events_of("sparrow") < events_of("sparrow", {"scheduler.sparrow.view=gradient"}));
  CHECK(events_of("air-traffic") < events_of("air-traffic", {"scheduler.air-traffic.rest=1"}));
  CHECK(events_of("sparrow", {"scheduler.sparrow.shuffle_period=0ms"}) ==
        events_of("sparrow", calm));
  CHECK(events_of("overlay-only", {"scheduler.overlay-only.cycles=1000"}) >
        5 * events_of("overlay-only", {"scheduler.overlay-only.cycles=100"}));
}

TEST_CASE("the estimate of a dispatcher counts the servers that it asks for each task") {
  const auto of_policy = [](const std::string& policy, int peers) {
    return events_of("dispatcher", {"scheduler.dispatcher.policy=" + policy,
                                    "peers.count=" + std::to_string(peers)});
  };
  constexpr double tasks = 24;
  const double unasked = of_policy("random", 8);
  CHECK(of_policy("random", 80) == unasked);
  CHECK(of_policy("jsq-d", 80) == unasked + tasks * 2 * 2);
  CHECK(of_policy("lwl", 80) == unasked + tasks * 2 * 79);
  CHECK(of_policy("jsq", 8) == unasked + tasks * 2 * 7);
  const std::vector<std::string> lossy{"peers.count=80", "network.loss=0.01"};
  const Outcome outcome = run_once(cell_of(scenario_with("dispatcher"), lossy), 0, 0, {}, nullptr);
  CHECK(static_cast<double>(outcome.events) < 2 * events_of("dispatcher", lossy));
  CHECK(static_cast<double>(outcome.events) > events_of("dispatcher", lossy) / 2);
}

TEST_CASE("the estimates of a master and of coordinators hold with losses and without") {
  for (const char* scheduler : {"master-worker", "coordinator"})
    for (const std::string loss : {"network.loss=0", "network.loss=0.02"}) {
      CAPTURE(scheduler);
      CAPTURE(loss);
      const std::vector<std::string> world{"peers.count=80", "workload.portions=40", loss};
      const Outcome outcome = run_once(cell_of(scenario_with(scheduler), world), 0, 0, {}, nullptr);
      CHECK(static_cast<double>(outcome.events) < roughness * events_of(scheduler, world));
      CHECK(static_cast<double>(outcome.events) > events_of(scheduler, world) / roughness);
    }
}

TEST_CASE("the estimate of vector scheduling counts moves of tasks that wait") {
  const std::vector<std::string> world{"peers.count=46", "workload.jobs=1", "workload.portions=400",
                                       "workload.portion_time=50s"};
  const Outcome outcome = run_once(cell_of(scenario_with("vector"), world), 0, 0, {}, nullptr);
  CHECK(static_cast<double>(outcome.events) < roughness * events_of("vector", world));
  CHECK(static_cast<double>(outcome.events) > events_of("vector", world) / roughness);
}

TEST_CASE("the estimate for tasks that need each other counts the time of their longest chain") {
  const std::string narrow =
      "peers.count = 40\nengine.kind = \"virtual\"\nrun.repetitions = 1\n"
      "workload = { kind = \"matrix\", dims = 10, tg_prob_connected = 0.8, portion_time = \"50s\" "
      "}\n[[scheduler]]\n";
  for (const char* scheduler : {"use = \"vector\"\nrecovery = false\n",
                                "use = \"wander\"\nmoves = 1000\nbegin_early = true\n"}) {
    CAPTURE(scheduler);
    const Cell cell = cell_of(narrow + scheduler);
    const agents::World world = make_surroundings(cell.scenario, 1).world;
    const double events = efforts_of(complete(cell.scenario, world), world).front().events;
    const Outcome outcome = run_once(cell, 0, 0, {}, nullptr);
    CHECK(static_cast<double>(outcome.events) < roughness * events);
    CHECK(static_cast<double>(outcome.events) > events / roughness);
  }
}

TEST_CASE("the estimate of a dispatcher counts keep-alives only where something may be lost") {
  const std::string frequent = "scheduler.dispatcher.keep_alive=10s";
  CHECK(events_of("dispatcher", {frequent}) == events_of("dispatcher"));
  CHECK(events_of("dispatcher", {frequent, "network.loss=0.01"}) > 5 * events_of("dispatcher"));
}

TEST_CASE("work in real time is not estimated, and a long run is announced before it begins") {
  const Scenario said = cell_of(scenario_with("organic-grid"), {"engine.kind=threads"}).scenario;
  CHECK(efforts_of(said, make_surroundings(said, 1).world).empty());
  const Effort effort{"organic-grid", 2.4e9, 3600s};
  CHECK(text_of(effort) == "about 2400 million events, 60 min, within a factor of 3");
  CHECK(long_runs({effort}, 1h).empty());
  CHECK(long_runs({effort}, 59min).size() == 1);
}

}  // namespace rhizome::pace_test
