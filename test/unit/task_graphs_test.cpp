// Graphs of tasks: what they ask of any scheduler, those that are made, and those that are read
// from files, right and wrong.
#include <doctest/doctest.h>

#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "agents/graph_shape.hpp"
#include "agents/job_graph.hpp"
#include "core/peer/codec.hpp"
#include "scenarios/text/input_error.hpp"
#include "scenarios/world/workload/growing.hpp"
#include "scenarios/world/workload/matrix.hpp"
#include "scenarios/world/workload/wfformat.hpp"
#include "scenarios/world/workload/workload.hpp"
#include "test/support/temporary_file.hpp"

namespace rhizome::scenarios::task_graphs_test {

using namespace std::chrono_literals;
using agents::Dependency;
using agents::Job;

namespace {

Job graph_of(const std::vector<core::Duration>& durations, std::vector<Dependency> edges) {
  Job job{.portions = {}, .dependencies = std::move(edges)};
  for (std::uint32_t i = 0; i < durations.size(); ++i)
    job.portions.push_back({.id = {0, i}, .duration = durations[i]});
  return job;
}

std::vector<Job> jobs_of(const std::string& kind, WorkloadSection section, std::uint64_t seed = 1) {
  for (const WorkloadModel& model : workload_models()) {
    if (model.word != kind) continue;
    const auto arrivals = model.open(section, core::Rng(seed));
    std::vector<Job> jobs;
    while (auto job = arrivals->next()) jobs.push_back(*std::move(job));
    return jobs;
  }
  return {};
}

std::vector<Job> matrix(const MatrixOptions& options, std::uint64_t seed = 1) {
  WorkloadSection section;
  section.own.change<MatrixOptions>() = options;
  return jobs_of("matrix", section, seed);
}

Job read(const std::string& kind, const std::string& text, double scale = 1) {
  const test::TemporaryFile file(text);
  const auto jobs = jobs_of(kind, {.file = file.name(), .duration_scale = scale});
  REQUIRE(jobs.size() == 1);
  return jobs.front();
}

// "line:column: sentence".
std::string refusal(const std::string& kind, const std::string& text) {
  const test::TemporaryFile file(text);
  try {
    static_cast<void>(jobs_of(kind, {.file = file.name()}));
  } catch (const InputError& error) {
    REQUIRE(std::string(error.what()).starts_with(file.name() + ":"));
    return std::string(error.what()).substr(file.name().size() + 1);
  }
  return "accepted";
}

// A workflow whose second task has that in its specification, and these runs.
std::string workflow(const std::string& second, const std::string& runs) {
  return "{\"schemaVersion\": \"1.5\", \"workflow\": {\n\"specification\": {\"tasks\": [\n"
         "{\"id\": \"a\", \"children\": [], \"outputFiles\": [\"x\", \"y\"]},\n{\"id\": \"b\"" +
         second +
         "}],\n\"files\": [{\"id\": \"x\", \"sizeInBytes\": 7}, {\"id\": \"y\", \"sizeInBytes\": "
         "5}]},\n\"execution\": {\"tasks\": [" +
         runs + "]}}}\n";
}
const std::string two_runs =
    R"({"id": "a", "runtimeInSeconds": 1.5}, {"id": "b", "runtimeInSeconds": 2, "coreCount": 3})";

}  // namespace

TEST_CASE("the critical path is the longest in time, and levels are counted in tasks") {
  // 0 - 1 - 2 - 5, and 0 - 3 - 5 with a long one; 4 alone.
  const Job job =
      graph_of({1s, 1s, 1s, 9s, 2s, 1s}, {{1, 0, 3}, {2, 1, 4}, {5, 2}, {3, 0}, {5, 3}});
  const agents::GraphShape shape = agents::shape_of(job);
  CHECK(shape.critical_path == 11s);
  CHECK(shape.depth == 4);
  CHECK(shape.width == 2);
  CHECK(shape.edges == 5);
  CHECK(shape.bytes == 7);
  CHECK(agents::levels_of(job) == std::vector<std::uint32_t>{0, 1, 2, 1, 0, 3});
}

TEST_CASE("graphs side by side are as long as the longest and as wide as the widest") {
  agents::GraphShape sum{.critical_path = 3s, .depth = 1, .width = 9, .edges = 2, .bytes = 4};
  sum.add({.critical_path = 2s, .depth = 5, .width = 1, .edges = 3, .bytes = 1});
  CHECK(sum ==
        agents::GraphShape{.critical_path = 3s, .depth = 5, .width = 9, .edges = 5, .bytes = 5});
}

TEST_CASE("a cycle is found, and what only stands behind it is not blamed") {
  CHECK_FALSE(agents::portion_in_cycle(graph_of({1s, 1s}, {{1, 0}})));
  const Job job = graph_of({1s, 1s, 1s, 1s, 1s}, {{1, 2}, {2, 3}, {3, 1}, {0, 1}, {4, 0}});
  const auto portion = agents::portion_in_cycle(job);
  REQUIRE(portion);
  CHECK(std::set<std::uint32_t>{1, 2, 3}.contains(*portion));
  CHECK(agents::portion_in_cycle(graph_of({1s}, {{0, 0}})) == 0U);
}

TEST_CASE("in a matrix tasks need neighbours to the west, the north and the north-west alone") {
  const auto jobs = matrix({.dims = 4, .tg_prob_connected = 1, .independent = 3, .edge_bytes = 8});
  REQUIRE(jobs.size() == 2);
  CHECK(jobs[0].portions.size() == 16);
  CHECK(jobs[1].portions.size() == 3);
  CHECK(jobs[1].dependencies.empty());
  CHECK(jobs[1].portions[2].id == agents::TaskId{1, 2});
  CHECK(jobs[0].dependencies.size() == 2 * 4 * 3 + 3 * 3);
  for (const Dependency& edge : jobs[0].dependencies) {
    const auto rows = edge.task / 4 - edge.needs / 4;
    const auto columns = edge.task % 4 - edge.needs % 4;
    CHECK(rows <= 1);
    CHECK(columns <= 1);
    CHECK(rows + columns >= 1);
    CHECK(edge.bytes == 8);
  }
  CHECK(agents::shape_of(jobs[0]).depth == 7);
}

TEST_CASE("each neighbour of a matrix is needed with the probability asked for") {
  constexpr double possible = 2 * 100 * 99 + 99 * 99;
  const auto job = matrix({.dims = 100, .tg_prob_connected = 0.2}).front();
  const auto edges = static_cast<double>(job.dependencies.size());
  CHECK(std::abs(edges - possible * 0.2) < 4 * std::sqrt(possible * 0.2 * 0.8));
  CHECK(matrix({.dims = 9}, 1).front().dependencies != matrix({.dims = 9}, 2).front().dependencies);
  CHECK(matrix({.dims = 9}, 3).front().dependencies == matrix({.dims = 9}, 3).front().dependencies);
  CHECK(matrix({.dims = 9, .tg_prob_connected = 0}).size() == 1);
}

TEST_CASE("a workflow has runtimes, cores, and the files that one task writes and another reads") {
  const Job job =
      read("wfformat", workflow(R"(, "parents": ["a"], "inputFiles": ["x", "z"])", two_runs), 2);
  REQUIRE(job.portions.size() == 2);
  CHECK(job.portions[0].duration == 3s);
  CHECK(job.portions[0].cpus == 1);
  CHECK(job.portions[1].duration == 4s);
  CHECK(job.portions[1].cpus == 3);
  CHECK(job.dependencies == std::vector<Dependency>{{1, 0, 7}});
}

TEST_CASE("a workflow of an older version has all in its tasks, which may be called jobs") {
  const std::string tasks = R"([
    {"name": "one", "runtime": 1.5, "files": [{"name": "x", "link": "output", "size": 7}]},
    {"name": "two", "runtime": 2, "cores": 3, "parents": ["one"],
     "files": [{"name": "x", "link": "input", "size": 7}]}]}})";
  for (const std::string word : {"jobs", "tasks"}) {
    const Job job =
        read("wfformat", R"({"schemaVersion": "1.1", "workflow": {")" + word + "\": " + tasks);
    REQUIRE(job.portions.size() == 2);
    CHECK(job.portions[0].duration == 1500ms);
    CHECK(job.portions[1].cpus == 3);
    CHECK(job.dependencies == std::vector<Dependency>{{1, 0, 7}});
  }
  const Job named = read("wfformat", R"({"schemaVersion": "1.4", "workflow": {"tasks": [
    {"id": "1", "name": "one", "runtimeInSeconds": 1},
    {"id": "2", "name": "two", "runtimeInSeconds": 1, "parents": ["one"]}]}})");
  CHECK(named.dependencies == std::vector<Dependency>{{1, 0, 0}});
}

TEST_CASE("a child that is named by its parent alone needs it as well") {
  const Job job = read("wfformat", workflow(R"(, "children": ["a"], "outputFiles": [])", two_runs));
  CHECK(job.dependencies == std::vector<Dependency>{{0, 1, 0}});
}

TEST_CASE("what is wrong with a workflow is told with line and column") {
  const auto with = [](const std::string& second, const std::string& runs = two_runs) {
    return refusal("wfformat", workflow(second, runs));
  };
  CHECK(with(R"(, "parents": ["c"])") == "4:25: there is no task with the id \"c\"");
  CHECK(with(R"(, "parents": ["b"])") == "6:70: the task \"b\" is its own parent");
  CHECK(
      with(R"(, "parents": ["a"], "children": ["a"])").ends_with("by way of those that it needs"));
  CHECK(with("}, {\"id\": \"b\"").find("two tasks have the id \"b\"") != std::string::npos);
  CHECK(with(", ").starts_with("4:13: this is no JSON"));
  CHECK(with(R"(, "parents": 3)") ==
        "1:1: this is no workflow of WfFormat 1.0 to 1.5: this JSON value is no list");
  CHECK(with("", R"({"id": "a", "runtimeInSeconds": 1})")
            .ends_with("the execution of the task \"b\" is missing"));
  CHECK(with("", R"({"id": "a", "runtimeInSeconds": -1})")
            .ends_with("the runtimeInSeconds of \"a\" is no number between 0 and 1000000000.0"));
  CHECK(with("", R"({"id": "a", "runtimeInSeconds": 1e400})")
            .ends_with("this JSON has a number that is too large"));
  CHECK(refusal("wfformat", "") == "1:1: this is no JSON");
  CHECK(refusal("wfformat", "{}").find("there is no \"schemaVersion\"") != std::string::npos);
  CHECK(refusal("wfformat", R"({"schemaVersion": "2.0", "workflow": {}})") ==
        "1:19: a workflow of schemaVersion 1.0 to 1.5 is needed, not of 2.0");
  CHECK(with("", two_runs + R"(, {"id": "a", "runtimeInSeconds": 100})")
            .ends_with("the task \"a\" has two executions: which one counts?"));
  CHECK(with("", R"({"id": "a"}, {"id": "b", "runtimeInSeconds": 2})")
            .ends_with("the runtimeInSeconds of \"a\" is missing"));
}

TEST_CASE("a workflow that is nested without end, or has keys without end, is refused") {
  CHECK(refusal("wfformat", std::string(100'000, '[')) == "1:1: this JSON is nested too deep");
  std::string keys = "{\"a\": 1";
  for (int i = 0; i < 2000; ++i) keys += ", \"" + std::to_string(i) + "\": 1";
  CHECK(refusal("wfformat", keys + "}") == "1:1: this JSON has an object of too many keys");
}

TEST_CASE("a graph that is written as a workflow is read as the same graph") {
  const Job job = matrix({.dims = 6, .tg_prob_connected = 0.5, .edge_bytes = 12}, 4).front();
  const Job again = read("wfformat", text_of(wfformat_of(job)));
  CHECK(again.dependencies.size() == job.dependencies.size());
  CHECK(agents::shape_of(again) == agents::shape_of(job));
  CHECK(agents::levels_of(again) == agents::levels_of(job));
}

TEST_CASE("a standard task graph has its dummies or not, and comments") {
  const std::string rows = "0 0 0\n1 4 1 0 # a task\n2 3 2 0 1\n3 0 1 2\n";
  for (const char* count : {"2\n", "4\n"}) {
    const Job job = read("stg", std::string("# a graph\n") + count + rows, 0.5);
    REQUIRE(job.portions.size() == 4);
    CHECK(job.portions[1].duration == 2s);
    CHECK(job.dependencies == std::vector<Dependency>{{1, 0}, {2, 0}, {2, 1}, {3, 2}});
  }
}

TEST_CASE("what is wrong with a standard task graph is told with line and column") {
  CHECK(refusal("stg", "") == "1:1: the file has no graph");
  CHECK(refusal("stg", "3\n0 1 0\n") == "3:1: the file says 3 tasks and has 1");
  CHECK(refusal("stg", "1\n1 1 0\n") == "2:1: task 0 should stand here");
  CHECK(refusal("stg", "2\n0 1 0\n1 1 1 1\n") ==
        "3:7: a task needs only those that stand before it");
  CHECK(refusal("stg", "3\n0 1 0\n1 1 0\n2 1 2 0\n")
            .starts_with("4:7: a task that needs 2 has 5 fields"));
  CHECK(refusal("stg", "3\n0 1 0\n1 1 0\n2 1 2 0 0\n") == "4:9: a task needs another once");
  CHECK(refusal("stg", "1\n0 -1 0\n").starts_with("2:3: "));
  CHECK(refusal("stg", "1\n0 1e300 0\n").starts_with("2:3: "));
  CHECK(refusal("stg", "1\n0 1\n") == "2:1: a task has a number, a time, and how many it needs");
  CHECK(refusal("stg", "x\n").starts_with("1:1: "));
}

TEST_CASE("a growing job is drawn from the seed, each addition behind all tasks before it") {
  WorkloadSection section;
  section.jobs = 3;
  section.portions = 20;
  section.own.change<GrowthOptions>() = {.chance = 0.2, .tasks = 10, .depth = 2};
  const auto jobs = jobs_of("growing", section, 4);
  REQUIRE(jobs.size() == 3);
  std::size_t additions = 0;
  for (const Job& job : jobs) {
    CHECK(job.known() == 20);
    additions += job.growth.size();
    std::vector<std::uint32_t> depths(job.portions.size());
    std::uint32_t next = 20;
    for (const agents::Growth& growth : job.growth) {
      CHECK(growth.first == next);
      CHECK(growth.count == 10);
      CHECK(growth.by < growth.first);
      CHECK(depths[growth.by] < 2);
      for (std::uint32_t i = 0; i < 10; ++i) depths[growth.first + i] = depths[growth.by] + 1;
      next += growth.count;
    }
    CHECK(job.portions.size() == next);
    for (std::uint32_t i = 0; i < next; ++i) CHECK(job.portions[i].id == agents::TaskId{job.id, i});
  }
  CHECK(additions > 6);
  const auto again = jobs_of("growing", section, 4);
  const auto others = jobs_of("growing", section, 5);
  CHECK(again[0].growth == jobs[0].growth);
  CHECK(others[0].growth != jobs[0].growth);
}

TEST_CASE("tasks that are added are drawn like those that are handed in") {
  WorkloadSection section;
  section.jobs = 1;
  section.portions = 1;
  section.jitter = 0.5;
  section.own.change<GrowthOptions>() = {.chance = 1, .tasks = 100, .depth = 1};
  std::set<core::Duration> lengths;
  const auto own = jobs_of("growing", section);
  for (const agents::Task& task : own[0].portions) lengths.insert(task.duration);
  CHECK(lengths.size() > 90);
  section.portion_draw = PortionDraw::job;
  lengths.clear();
  const auto shared = jobs_of("growing", section);
  for (const agents::Task& task : shared[0].portions) lengths.insert(task.duration);
  CHECK(lengths.size() == 1);
}

TEST_CASE("a job that would grow without end stops at a million tasks, and says so") {
  WorkloadSection section;
  section.jobs = 1;
  section.portions = 1;
  section.own.change<GrowthOptions>() = {.chance = 1, .tasks = 100'000, .depth = 1000};
  const auto arrivals = generate_growing(section, core::Rng(1));
  const auto job = arrivals->next();
  REQUIRE(job);
  CHECK(job->portions.size() == 900'001);
  CHECK(arrivals->remarks() ==
        std::vector<std::string>{"jobs that stop growing at a million tasks: 1"});
}

TEST_CASE("a task of a graph carries its level, at the cost of a byte, and no other does") {
  const auto bytes_of = [](std::uint32_t level) {
    core::Bytes bytes;
    core::encode(agents::Task{.id = {1, 2}, .level = level}, bytes);
    agents::Task read;
    CHECK(core::decode(bytes, read) == core::DecodeError::none);
    CHECK(read.level == level);
    return bytes.size();
  };
  CHECK(bytes_of(1) == bytes_of(0) + 1);
  CHECK(bytes_of(100) == bytes_of(0) + 1);
  agents::JobGraph graph(graph_of({1s, 1s, 1s, 1s}, {{1, 0}, {2, 1}, {2, 0}}));
  std::vector<std::uint32_t> levels;
  for (const agents::Task& task : graph.begin()) levels.push_back(task.level);
  for (const agents::Task& task : graph.done(0)) levels.push_back(task.level);
  for (const agents::Task& task : graph.done(1)) levels.push_back(task.level);
  CHECK(levels == std::vector<std::uint32_t>{1, 1, 2, 3});
}

}  // namespace rhizome::scenarios::task_graphs_test
