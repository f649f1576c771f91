// Jobs as they come, one at a time: their profile, the end of an open run, and traces with at most
// a window in memory.
#include "agents/arrivals.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/text/input_error.hpp"
#include "scenarios/world/workload/trace.hpp"
#include "test/support/temporary_file.hpp"

namespace rhizome::arrivals_test {

using namespace std::chrono_literals;
using agents::Job;
using core::Time;

namespace {

constexpr Time at(core::Duration since) { return Time{} + since; }

// Three jobs a second apart, of one, two and three tasks, of which the last is the longest.
agents::Workload growing() {
  agents::Workload workload;
  for (std::uint32_t job = 0; job < 3; ++job) {
    workload.jobs.push_back({.id = job, .arrival = at(job * 1s), .portions = {}});
    for (std::uint32_t portion = 0; portion <= job; ++portion)
      workload.jobs.back().portions.push_back(
          {.id = {job, portion}, .duration = 100ms * (job + portion + 1), .cpus = portion + 1});
  }
  return workload;
}

// "job submitted" or "job submitted tasks" on each line, of tasks of a second.
class Plain final : public scenarios::TraceFormat {
 public:
  std::optional<scenarios::TraceLine> read(const scenarios::LineSource&,
                                           std::string_view line) override {
    const std::size_t blank = line.find(' ');
    scenarios::TraceLine read{.job = std::stoll(std::string(line.substr(0, blank)))};
    read.submitted = std::stod(std::string(line.substr(blank)));
    if (const std::size_t last = line.rfind(' '); last > blank)
      read.tasks = static_cast<std::uint32_t>(std::stoul(std::string(line.substr(last))));
    read.run = 1;
    return read;
  }
};

// "tasks@arrival" of the jobs, or the error with its place.
std::string read_trace(const std::string& text, const scenarios::TraceReading& reading,
                       scenarios::WorkloadSection section = {}) {
  const test::TemporaryFile file(text);
  section.file = file.name();
  const auto arrivals = scenarios::open_trace(section, std::make_unique<Plain>(), reading);
  std::string told;
  try {
    while (const auto job = arrivals->next())
      told += (told.empty() ? "" : " ") + std::to_string(job->portions.size()) + "@" +
              std::to_string(job->arrival.time_since_epoch() / 1s);
    for (const std::string& remark : arrivals->remarks()) told += "; " + remark;
  } catch (const scenarios::InputError& error) {
    return std::string(error.what()).substr(file.name().size() + 1);
  }
  return told;
}

}  // namespace

TEST_CASE("of a trace so many tasks are made at most, in a job and in all that are taken") {
  const scenarios::TraceReading reading{.tasks_of_job = 10, .tasks = 25};
  const std::string remedy =
      " tasks, each of which is made: take fewer jobs with workload.max_jobs, workload.from or "
      "workload.until";
  CHECK(read_trace("1 0 10\n2 1 10\n3 2 5\n", reading) == "10@0 10@1 5@2");
  CHECK(read_trace("1 0 10\n2 1 10\n3 2 6\n", reading) ==
        "3:1: with this job the jobs have more than 25" + remedy);
  CHECK(read_trace("1 0\n2 1 10\n2 1\n", reading) ==
        "2:1: the job that begins here has more than 10" + remedy);
  scenarios::WorkloadSection first;
  first.max_jobs = 1;
  CHECK(read_trace("1 0\n2 1 10\n2 1\n", reading, first).starts_with("1@0; 1 of 2 jobs left out"));
}

TEST_CASE("a profile has the totals and the bounds of a workload") {
  agents::ListedArrivals arrivals(growing());
  const auto profile = agents::profile_of(
      arrivals, {.somebody = [](const agents::Task& task) { return task.cpus < 3; }});
  CHECK(profile.jobs == 3);
  CHECK(profile.tasks == 6);
  CHECK(profile.largest_job == 3);
  CHECK(profile.longest == 500ms);
  CHECK(profile.work == doctest::Approx(0.1 + 0.2 + 0.3 + 0.3 + 0.4 + 0.5));
  CHECK(profile.mean_task() == doctest::Approx(0.3));
  CHECK(profile.last == at(2s));
  REQUIRE(profile.misfit);
  CHECK(profile.misfit->id == agents::TaskId{2, 2});
}

TEST_CASE("a profile has the tasks that its workload may have, and no longer or other ones") {
  agents::ListedArrivals arrivals(growing());
  const auto profile = agents::profile_of(arrivals);
  CHECK_FALSE(profile.misfit);
  CHECK(profile.has(agents::TaskId{2, 2}));
  CHECK_FALSE(profile.has(agents::TaskId{3, 0}));
  CHECK_FALSE(profile.has(agents::TaskId{0, 3}));
  CHECK(profile.has(agents::Task{.id = {2, 2}, .duration = 500ms}));
  CHECK_FALSE(profile.has(agents::Task{.id = {2, 2}, .duration = 501ms}));
  CHECK_FALSE(profile.has(agents::Task{.id = {2, 2}, .memory = 1e9}));
  CHECK_FALSE(profile.has(agents::Task{.id = {2, 2}, .cpus = 100}));
  const core::Recipe other(core::WorkKindId{1}, "spec");
  CHECK_FALSE(profile.has(agents::Task{.id = {2, 2}, .recipe = other}));
  CHECK(agents::Profile{}.mean_task() == 0);
}

TEST_CASE(
    "arrivals after the end of an open run are left out, and it is known that there are more") {
  const auto jobs_until = [](core::Duration last, bool more) {
    agents::ArrivalsUntil arrivals(std::make_unique<agents::ListedArrivals>(growing()), at(last));
    std::size_t jobs = 0;
    while (arrivals.next()) ++jobs;
    CHECK_FALSE(arrivals.next());
    CHECK(arrivals.more() == more);
    return jobs;
  };
  CHECK(jobs_until(1s, true) == 2);
  CHECK(jobs_until(1999ms, true) == 2);
  CHECK(jobs_until(2s, false) == 3);
}

TEST_CASE("a trace may be out of order within its window, and is not read whole") {
  CHECK(read_trace("1 0\n2 5\n1 9\n3 2\n", {.window = 4}) == "2@0 1@2 1@5");
  CHECK(read_trace("1 3\n2 1\n3 2\n4 0\n", {.window = 3}) == "1@0 1@1 1@2 1@3");
  CHECK(read_trace("1 0\n2 5\n1 9\n2 4\n", {.window = 4}) == "2@0 2@4");
}

TEST_CASE("a row of a trace out of order by more than the window is refused at its line") {
  CHECK(read_trace("1 0\n2 1\n3 2\n4 3\n1 4\n", {.window = 2}) ==
        "5:1: other tasks of this job stand more than 2 lines before: put the tasks of a job "
        "together");
  CHECK(read_trace("1 3\n2 4\n3 5\n4 0\n", {.window = 2}) ==
        "4:1: what was submitted later stands more than 2 lines before: sort the trace by "
        "submission");
  CHECK(read_trace("1 9\n2 8\n3 7\n4 6\n5 5\n", {.window = 2})
            .starts_with("4:1: what was submitted later"));
}

TEST_CASE(
    "a job may have more tasks than the window of its trace has lines, if they are together") {
  CHECK(read_trace("1 0\n2 1\n2 1\n2 1\n2 1\n3 2\n", {.window = 2}) == "1@0 4@1 1@2");
}

TEST_CASE("errors in a trace behind the window of a scenario are reported all the same") {
  const std::string text = "1 0\n2 1\n3 2\n4 3\n1 4\n";
  CHECK(read_trace(text, {.window = 9}, {.max_jobs = 1}) ==
        "2@0; 3 of 4 jobs left out: beyond workload.max_jobs");
  CHECK(
      read_trace(text, {.window = 2}, {.max_jobs = 1}).starts_with("5:1: other tasks of this job"));
}

}  // namespace rhizome::arrivals_test
