// Tasks that need each other, under all schedulers that take them.
#include <doctest/doctest.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "agents/bounds/heft.hpp"
#include "scenarios/experiment/conditions.hpp"
#include "test/support/effort.hpp"
#include "test/support/experiments.hpp"
#include "test/support/temporary_file.hpp"

namespace rhizome::task_graphs_test {

namespace {

const std::string matrix = R"(
network.latency = "constant"
network.delay = "5ms"
peers.count = 10
workload = { kind = "matrix", dims = 8, tg_prob_connected = 0.4, independent = 20 }
engine.kind = "virtual"
)";

const std::string takers = test::schedulers(
    {"organic-grid", "air-traffic", "hybrid", "round-robin", "vector", "omniscient", "heft"});
constexpr std::size_t all_takers = 7;

// The matrix that a run of that repetition had.
agents::Job graph_of(const std::string& text, std::uint32_t repetition) {
  const auto scenario = scenarios::parse_scenario(text, "test.toml").front().scenario;
  const auto around =
      scenarios::make_surroundings(scenario, scenarios::repetition_seed(scenario, repetition));
  return *around.world.arrivals()->next();
}

// No task began before all that it needs were done, and all are done.
void check_order(const scenarios::Outcome& outcome, const agents::Job& job) {
  for (const agents::Dependency& edge : job.dependencies)
    CHECK(outcome.tasks.at(edge.task).started_at >= outcome.tasks.at(edge.needs).completed_at);
  CHECK(test::metric(outcome, "open_tasks") == 0);
  CHECK(test::metric(outcome, "completed") == 8 * 8 + 20);
}

}  // namespace

TEST_CASE("no task begins before all tasks that it needs are done, under any scheduler") {
  const agents::Job job = graph_of(matrix + takers, 0);
  REQUIRE(job.dependencies.size() > 20);
  for (std::size_t scheduler = 0; scheduler < all_takers; ++scheduler) {
    const auto outcome = test::run_scenario(matrix + takers, 0, scheduler);
    INFO("scheduler " << outcome.identity.label);
    test::check_sound(outcome);
    check_order(outcome, job);
    CHECK(test::metric(outcome, "lower_bound") <= test::metric(outcome, "makespan"));
  }
}

TEST_CASE("plans let no task begin before all are done that it needs, though some take no time") {
  core::Rng rng(7);
  for (std::uint32_t graph = 0; graph < test::seeds(30); ++graph) {
    agents::Job job;
    std::string lines = "30\n";
    for (std::uint32_t task = 0; task < 30; ++task) {
      const std::uint64_t needs = rng.below(std::min(task, 3U) + 1);
      lines +=
          std::to_string(task) + ' ' + std::to_string(rng.below(3)) + ' ' + std::to_string(needs);
      for (std::uint64_t i = 1; i <= needs; ++i) {
        lines += ' ' + std::to_string(task - i);
        job.dependencies.push_back({task, static_cast<std::uint32_t>(task - i)});
      }
      lines += '\n';
    }
    const test::TemporaryFile file(lines);
    const std::string text =
        "peers = { count = 3, speed_min = 1, speed_max = 1 }\n"
        "workload = { kind = \"stg\", file = \"" +
        file.name() + "\" }\nengine.kind = \"virtual\"\n" +
        test::schedulers({"heft", "omniscient"});
    for (std::size_t scheduler = 0; scheduler < 2; ++scheduler) {
      const auto outcome = test::run_scenario(text, 0, scheduler);
      INFO("scheduler " << outcome.identity.label << ", graph\n" << lines);
      for (const agents::Dependency& edge : job.dependencies)
        CHECK(outcome.tasks.at(edge.task).started_at >= outcome.tasks.at(edge.needs).completed_at);
      CHECK(test::metric(outcome, "completed") == 30);
    }
  }
}

TEST_CASE("no task of a graph is lost where peers crash and messages are lost and doubled") {
  const std::string bad = matrix + R"(
network.loss = 0.05
network.duplication = 0.05
faults = { crash_share = 0.2, crash_until = "1s", restart_after = "500ms" }
)" + test::schedulers({"organic-grid", "air-traffic", "hybrid", "vector"});
  for (std::uint32_t repetition = 0; repetition < 4; ++repetition)
    for (std::size_t scheduler = 0; scheduler < 4; ++scheduler) {
      const auto outcome = test::run_scenario(bad, repetition, scheduler);
      INFO("scheduler " << outcome.identity.label << ", repetition " << repetition);
      test::check_sound(outcome);
      check_order(outcome, graph_of(bad, repetition));
    }
}

namespace {

// All variants of the Sparrow family: a master releases tasks where it hears of results, and the
// source of the run hears of these later.
const std::vector<std::string> sparrow_ways[] = {
    {},
    {"scheduler.sparrow.self_assign=true", "scheduler.sparrow.max_hops=5"},
    {"scheduler.sparrow.view=gradient"},
    {"scheduler.sparrow.binding=per-job", "scheduler.sparrow.start=all-that-fit"},
    {"scheduler.sparrow.probing=per-job"},
    {"scheduler.sparrow.sampling=random"},
    {"scheduler.sparrow.sampling=per-task"},
    {"scheduler.sparrow.sampling=batch"},
    {"scheduler.sparrow.leaders=graphs"},
    {"scheduler.sparrow.leaders=graphs", "scheduler.sparrow.group_size=3",
     "scheduler.sparrow.sampling=random"},
};

// No task began before all tasks that it needs had ended.
void check_executions(const scenarios::Outcome& outcome, const agents::Job& job) {
  std::map<agents::TaskId, core::Time> ended;
  for (const auto& noted : outcome.facts.of<agents::TaskExecuted>())
    ended.emplace(noted.fact.task, noted.at);
  for (const agents::Dependency& edge : job.dependencies)
    CHECK(outcome.tasks.at(edge.task).started_at >= ended.at({0, edge.needs}));
  CHECK(test::metric(outcome, "open_tasks") == 0);
}
void check_order_of_executions(const scenarios::Outcome& outcome, const agents::Job& job) {
  check_executions(outcome, job);
  CHECK(test::metric(outcome, "completed") == 8 * 8 + 20);
}

// Messages of a kind.
std::uint64_t sent(const scenarios::Outcome& outcome, std::string_view name) {
  std::uint64_t messages = 0;
  for (const scenarios::MessageKind& kind : outcome.kinds)
    for (const scenarios::PeerOutcome& peer : outcome.peers)
      for (const core::BurdenRow& row : peer.burdens)
        if (kind.name == name && kind.service_index == row.service && kind.type == row.type)
          messages += row.sent.messages;
  return messages;
}

const std::string for_sparrow =
    "graph.kind = \"complete\"\n" + matrix + test::schedulers({"sparrow"});

}  // namespace

TEST_CASE("masters of the Sparrow family release tasks of a graph, whatever they do otherwise") {
  const agents::Job job = graph_of(for_sparrow, 0);
  for (const auto& way : sparrow_ways) {
    CAPTURE(way);
    const auto outcome = test::run_scenario(for_sparrow, 0, 0, {.command_line = way});
    test::check_sound(outcome);
    check_order_of_executions(outcome, job);
    CHECK(test::metric(outcome, "duplicates") == 0);
    CHECK(test::metric(outcome, "reexecutions") == 0);
  }
}

TEST_CASE(
    "a master of a graph that dies has a successor, and the tasks that it released are not lost") {
  std::size_t handed_over = 0;
  for (std::uint32_t repetition = 0; repetition < test::seeds(24); ++repetition) {
    std::vector<std::string> bad = sparrow_ways[repetition % std::size(sparrow_ways)];
    bad.insert(bad.end(), {"network.loss=0.03", "network.duplication=0.03",
                           "faults.crash_share=0.4", "faults.crash_until=1s"});
    if (repetition % 2 == 1) bad.emplace_back("faults.restart_after=500ms");
    const auto outcome = test::run_scenario(for_sparrow, repetition, 0, {.command_line = bad});
    INFO("repetition " << repetition);
    test::check_sound(outcome);
    check_order_of_executions(outcome, graph_of(for_sparrow, repetition));
    handed_over += sent(outcome, "adopt");
  }
  CHECK(handed_over > 10);
}

TEST_CASE("HEFT follows its plan, sends nothing, and is no worse than any other") {
  const std::string text = matrix + takers;
  const auto scenario = scenarios::parse_scenario(text, "test.toml").front().scenario;
  for (std::uint32_t repetition = 0; repetition < 3; ++repetition) {
    const auto around =
        scenarios::make_surroundings(scenario, scenarios::repetition_seed(scenario, repetition));
    const auto plan = agents::bounds::heft_plan(around.world, {}, [] { return false; });
    const auto heft = test::run_scenario(text, repetition, all_takers - 1);
    CHECK(test::metric(heft, "makespan") ==
          doctest::Approx(core::seconds(plan.end - core::Time{})));
    CHECK(test::metric(heft, "scheduling_messages") == 0);
    for (std::size_t other = 0; other + 1 < all_takers; ++other)
      CHECK(test::metric(heft, "makespan") <=
            test::metric(test::run_scenario(text, repetition, other), "makespan"));
  }
}

namespace {

const std::string growing = R"(
network.latency = "constant"
network.delay = "5ms"
peers.count = 10
graph.kind = "complete"
workload = { kind = "growing", jobs = 3, portions = 8, spacing = "300ms", jitter = 0.3, growth_chance = 0.1, growth = 10, growth_depth = 3 }
engine.kind = "virtual"
)";

// For each task that added others: the first of them and their number. And the duration of each
// task.
auto growth_of(const scenarios::Outcome& outcome) {
  std::map<agents::TaskId, std::pair<std::uint32_t, std::uint32_t>> additions;
  for (const auto& noted : outcome.facts.of<agents::TasksAdded>())
    additions.emplace(noted.fact.task, std::pair(noted.fact.first, noted.fact.count));
  std::map<agents::TaskId, core::Duration> durations;
  for (const scenarios::TaskOutcome& task : outcome.tasks) durations[task.id] = task.duration;
  return std::pair(additions, durations);
}

// No task was there before the one had ended that added it.
void check_growth(const scenarios::Outcome& outcome) {
  std::map<agents::TaskId, core::Time> ended;
  for (const auto& noted : outcome.facts.of<agents::TaskExecuted>())
    ended.emplace(noted.fact.task, noted.at);
  for (const auto& [by, added] : growth_of(outcome).first)
    for (const scenarios::TaskOutcome& task : outcome.tasks)
      if (task.id.job == by.job && task.id.portion - added.first < added.second)
        CHECK(task.submitted_at >= ended.at(by));
}

}  // namespace

TEST_CASE("jobs grow alike under all schedulers, and every task that is added is done") {
  const std::string all =
      growing + test::schedulers({"organic-grid", "air-traffic", "hybrid", "round-robin", "vector",
                                  "omniscient", "heft", "sparrow"});
  const auto first = growth_of(test::run_scenario(all));
  CHECK(first.first.size() > 3);
  for (std::size_t scheduler = 0; scheduler < 8; ++scheduler) {
    const auto outcome = test::run_scenario(all, 0, scheduler);
    INFO("scheduler " << outcome.identity.label);
    test::check_sound(outcome);
    check_growth(outcome);
    CHECK(growth_of(outcome) == first);
    CHECK(test::metric(outcome, "open_tasks") == 0);
    CHECK(test::metric(outcome, "completed") == 24 + 10 * first.first.size());
    CHECK(test::metric(outcome, "lower_bound") <= test::metric(outcome, "makespan"));
  }
}

TEST_CASE("no task that another adds is lost to crashes, loss and duplication") {
  const std::string bad = growing + R"(
network.loss = 0.03
network.duplication = 0.03
faults = { crash_share = 0.3, crash_until = "1s", restart_after = "500ms" }
)" + test::schedulers({"organic-grid", "air-traffic", "hybrid", "vector", "sparrow"});
  for (std::uint32_t repetition = 0; repetition < test::seeds(6); ++repetition)
    for (std::size_t scheduler = 0; scheduler < 5; ++scheduler) {
      const auto outcome = test::run_scenario(bad, repetition, scheduler);
      INFO("scheduler " << outcome.identity.label << ", repetition " << repetition);
      test::check_sound(outcome);
      check_growth(outcome);
      CHECK(test::metric(outcome, "open_tasks") == 0);
    }
}

TEST_CASE("peers that run the shallowest task first complete a graph and independent tasks") {
  const std::string text = matrix + test::schedulers({"round-robin"});
  const auto outcome =
      test::run_scenario(text, 0, 0, {.command_line = {"peers.discipline=shallowest-first"}});
  test::check_sound(outcome);
  check_order(outcome, graph_of(text, 0));
  const auto without = test::run_scenario(text);
  const auto graph_done = [](const scenarios::Outcome& of) { return of.jobs.at(0).completed_at; };
  CHECK(graph_done(outcome) < graph_done(without));
}

TEST_CASE("five real workflows complete under all schedulers, and none is faster than can be") {
  const auto cells = scenarios::load_scenario(test::shipped("scenarios/workflows.toml"),
                                              {.command_line = {"run.repetitions=1"}});
  REQUIRE(cells.size() == 5);
  for (const scenarios::Cell& cell : cells) {
    const auto around =
        scenarios::make_surroundings(cell.scenario, scenarios::repetition_seed(cell.scenario, 0));
    const agents::Job job = *around.world.arrivals()->next();
    REQUIRE(job.dependencies.size() > 40);
    for (std::size_t s = 0; s < cell.scenario.schedulers.size(); ++s) {
      const auto outcome = scenarios::run_once(cell, s, 0, {}, nullptr);
      INFO(cell.scenario.workload.file << " under " << outcome.identity.label);
      test::check_sound(outcome);
      CHECK(test::metric(outcome, "completed") == static_cast<double>(job.portions.size()));
      CHECK(test::metric(outcome, "over_lower_bound") >= 1 - 1e-9);
      check_executions(outcome, job);
    }
  }
}

}  // namespace rhizome::task_graphs_test
