// The greedy schedule against which promises of time are measured.
#include "agents/bounds/greedy.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <vector>

namespace rhizome::greedy_test {

using namespace std::chrono_literals;
using agents::Capacity;
using agents::Job;
using agents::Task;
using core::Duration;
using core::Time;

namespace {

Duration end_of(std::vector<Job> jobs, std::vector<Capacity> peers, Duration beside = 0s) {
  agents::ListedArrivals arrivals({std::move(jobs)});
  return agents::bounds::greedy_end(arrivals, std::move(peers),
                                    [beside](const Task&) { return beside; })
      .time_since_epoch();
}

Job job_of(const std::vector<Duration>& durations, Duration arrival = 0s, std::uint32_t id = 0) {
  Job job{.id = id, .arrival = Time{} + arrival, .portions = {}};
  for (std::uint32_t portion = 0; portion < durations.size(); ++portion)
    job.portions.push_back({.id = {id, portion}, .duration = durations[portion]});
  return job;
}

}  // namespace

TEST_CASE("tasks begin in their order at the slowest peer that has room") {
  CHECK(end_of({job_of({4s})}, {{.speed = 1}, {.speed = 2}}) == 4s);
  CHECK(end_of({job_of({4s, 3s})}, {{.speed = 2}, {.speed = 1}}) == 4s);
  // The first two end after 3 s and 2 s, and the third begins where the second was.
  CHECK(end_of({job_of({3s, 4s, 4s})}, {{.speed = 1}, {.speed = 2}}) == 4s);
  CHECK(end_of({job_of({1s, 1s, 1s, 1s})}, {{.slots = 3}}) == 2s);
  CHECK(end_of({}, {{}}) == 0s);
}

TEST_CASE("a schedule that lasts too long is followed no further than its limit") {
  const auto end_until = [](core::Duration until, std::uint32_t& read) {
    struct Counted final : agents::Arrivals {
      explicit Counted(std::uint32_t& of) : read(of) {}
      std::optional<Job> next() override {
        if (read >= 1000) return {};
        ++read;
        return job_of({2s, 2s}, 3s * (read - 1), read);
      }
      std::uint32_t& read;
    } arrivals(read);
    return agents::bounds::greedy_end(
        arrivals, {{}}, [](const Task&) { return Duration{0}; }, Time{} + until);
  };
  std::uint32_t read = 0;
  CHECK(end_until(10s, read) == Time::max());
  CHECK(read < 10);
  read = 0;
  CHECK(end_until(5000s, read) == Time{} + 4000s);
}

TEST_CASE("a task takes its overhead beside its service time") {
  CHECK(end_of({job_of({1s, 1s})}, {{.speed = 2}}, 3s) == 7s);
}

TEST_CASE("no peer works on a task before its arrival, and none rests after it") {
  CHECK(end_of({job_of({1s}), job_of({1s}, 5s, 1)}, {{}}) == 6s);
  CHECK(end_of({job_of({4s}), job_of({1s}, 2s, 1)}, {{}}) == 5s);
}

TEST_CASE("a task waits for room for all that it needs, and none goes before it") {
  Job job = job_of({4s, 1s, 1s});
  job.portions[1].cpus = 2;
  CHECK(end_of({job}, {{.slots = 2}}) == 6s);
  Job heavy = job_of({4s, 1s});
  for (Task& task : heavy.portions) task.memory = 0.6;
  CHECK(end_of({heavy}, {{.slots = 2}}) == 5s);
}

TEST_CASE("a task of a graph begins when all that it needs is done") {
  Job job = job_of({1s, 2s, 1s});
  job.dependencies = {{.task = 2, .needs = 0}, {.task = 2, .needs = 1}};
  CHECK(end_of({job}, {{.slots = 3}}) == 3s);
  Job grown = job_of({1s, 2s});
  grown.growth = {{.by = 0, .first = 1, .count = 1}};
  CHECK(end_of({grown}, {{.slots = 3}}) == 3s);
}

TEST_CASE("times beyond the end of the clock are its end") {
  constexpr Duration century = 24h * 36'525;
  CHECK(end_of({job_of({century, century, century, century})}, {{}}) ==
        Time::max().time_since_epoch());
}

}  // namespace rhizome::greedy_test
