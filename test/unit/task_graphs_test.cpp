// Graphs of tasks: what they ask of any scheduler, and those that are made.
#include <doctest/doctest.h>

#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "agents/graph_shape.hpp"
#include "agents/job_graph.hpp"
#include "core/peer/codec.hpp"
#include "scenarios/world/workload/task_graphs.hpp"
#include "test/support/jobs_of.hpp"

namespace rhizome::scenarios::task_graphs_test {

using namespace std::chrono_literals;
using agents::Dependency;
using agents::Job;
using test::jobs_of;

namespace {

Job graph_of(const std::vector<core::Duration>& durations, std::vector<Dependency> edges) {
  Job job{.portions = {}, .dependencies = std::move(edges)};
  for (std::uint32_t i = 0; i < durations.size(); ++i)
    job.portions.push_back({.id = {0, i}, .duration = durations[i]});
  return job;
}

std::vector<Job> matrix(const MatrixOptions& options, std::uint64_t seed = 1) {
  WorkloadSection section;
  section.own.change<MatrixOptions>() = options;
  return jobs_of("matrix", section, seed);
}

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

TEST_CASE("a cycle is found, and tasks that only stand behind it are not blamed") {
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

TEST_CASE("added tasks are drawn like those handed in") {
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
