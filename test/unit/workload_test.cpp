#include "scenarios/world/workload/workload.hpp"

#include <doctest/doctest.h>

#include <set>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/text/input_error.hpp"
#include "test/support/temporary_file.hpp"
#include "test/support/works.hpp"

namespace rhizome::workload_test {

using namespace std::chrono_literals;
using core::Rng;
using core::Time;
using scenarios::InputError;
using scenarios::WorkloadKind;
using scenarios::WorkloadSection;
using test::TemporaryFile;

namespace {

struct LoadedWorkload {
  agents::Workload workload;
  std::vector<std::string> remarks;
};

LoadedWorkload all_of(agents::Arrivals& arrivals) {
  LoadedWorkload loaded;
  while (auto job = arrivals.next()) loaded.workload.jobs.push_back(*std::move(job));
  loaded.remarks = arrivals.remarks();
  return loaded;
}

LoadedWorkload load(const WorkloadSection& section) {
  return all_of(*scenarios::workload_model(section.kind).open(section, Rng(1)));
}

LoadedWorkload load_text(WorkloadSection section, const std::string& text) {
  const TemporaryFile file(text);
  section.file = file.name();
  return load(section);
}

// Jobs by arrival, ids and portions dense, no time negative.
void check_sound(const agents::Workload& workload) {
  Time last{};
  for (std::uint32_t j = 0; j < workload.jobs.size(); ++j) {
    const agents::Job& job = workload.jobs[j];
    REQUIRE(job.id == j);
    REQUIRE(job.arrival >= last);
    REQUIRE_FALSE(job.portions.empty());
    last = job.arrival;
    for (std::uint32_t p = 0; p < job.portions.size(); ++p) {
      REQUIRE(job.portions[p].id == agents::TaskId{j, p});
      REQUIRE(job.portions[p].duration.count() >= 0);
    }
  }
}

// The error in a trace, without the name of its file.
std::string complaint(WorkloadKind kind, const std::string& text) {
  const TemporaryFile file(text);
  try {
    check_sound(load({.kind = kind, .file = file.name()}).workload);
  } catch (const InputError& error) {
    REQUIRE(std::string(error.what()).starts_with(file.name() + ":"));
    return std::string(error.what()).substr(file.name().size() + 1);
  }
  return "nothing";
}

std::string google_task(const std::string& job, const std::string& submit, const std::string& run,
                        const std::string& memory = "0.25") {
  return job + ",0," + submit + ",1000," + run + ",1,1,9,0.0625," + memory + "\n";
}

// A line of the Standard Workload Format.
std::string swf_job(int id, int submit, int run, int allocated, int requested) {
  return std::to_string(id) + " " + std::to_string(submit) + " -1 " + std::to_string(run) + " " +
         std::to_string(allocated) + " -1 -1 " + std::to_string(requested) +
         " -1 -1 1 1 1 -1 -1 -1 -1 -1\n";
}

constexpr WorkloadKind google{1};
constexpr WorkloadKind swf{2};

}  // namespace

TEST_CASE("a generated workload has the jobs, portions and times asked for") {
  const auto workload =
      load({.jobs = 5, .portions = 3, .portion_time = 200ms, .spacing = 40ms}).workload;
  check_sound(workload);
  REQUIRE(workload.jobs.size() == 5);
  CHECK(workload.tasks() == 15);
  CHECK(workload.jobs[4].arrival == Time(160ms));
  CHECK(workload.jobs[4].portions[2].duration == 200ms);
  CHECK(workload.jobs[4].portions[2].recipe == core::Recipe{});
}

TEST_CASE("jitter spreads portions evenly about their time") {
  const auto workload =
      load({.jobs = 200, .portions = 50, .portion_time = 100ms, .jitter = 0.2}).workload;
  double sum = 0;
  core::Duration least = 1h;
  core::Duration most{0};
  for (const auto& job : workload.jobs)
    for (const auto& task : job.portions) {
      sum += core::seconds(task.duration);
      least = std::min(least, task.duration);
      most = std::max(most, task.duration);
    }
  CHECK(sum / 10'000 == doctest::Approx(0.1).epsilon(0.01));
  CHECK(least >= 80ms);
  CHECK(least < 81ms);
  CHECK(most <= 120ms);
  CHECK(most > 119ms);
}

TEST_CASE("exponential portions have the mean, the spread and the tail of their law") {
  constexpr std::size_t tasks = 100'000;
  const auto workload = load({.jobs = tasks / 10,
                              .portions = 10,
                              .portion_time = 100ms,
                              .portion_distribution = scenarios::PortionKind::exponential})
                            .workload;
  check_sound(workload);
  double sum = 0;
  double squares = 0;
  double beyond = 0;  // three means
  for (const auto& job : workload.jobs)
    for (const auto& task : job.portions) {
      const double in_means = core::seconds(task.duration) / 0.1;
      sum += in_means;
      squares += in_means * in_means;
      beyond += in_means > 3 ? 1 : 0;
    }
  // Four standard errors each: 1/sqrt(n), sqrt(20/n) and sqrt(p(1 - p)/n).
  CHECK(std::abs(sum / tasks - 1) < 4 / std::sqrt(tasks));
  CHECK(std::abs(squares / tasks - 2) < 4 * std::sqrt(20.0 / tasks));
  const double tail = std::exp(-3.0);
  CHECK(std::abs(beyond / tasks - tail) < 4 * std::sqrt(tail * (1 - tail) / tasks));
}

TEST_CASE("portions differ in their distribution, arrivals stay as they are") {
  WorkloadSection section{.jobs = 50, .portions = 2, .portion_time = 100ms, .spacing = 50ms};
  section.arrivals = scenarios::ArrivalKind::exponential;
  const auto uniform = load(section).workload;
  section.portion_distribution = scenarios::PortionKind::exponential;
  const auto exponential = load(section).workload;
  for (std::size_t j = 0; j < uniform.jobs.size(); ++j)
    CHECK(uniform.jobs[j].arrival == exponential.jobs[j].arrival);
}

TEST_CASE("a job may draw one duration for all its tasks, or one for each") {
  for (const auto draw : {scenarios::PortionDraw::job, scenarios::PortionDraw::task}) {
    const auto workload = load({.jobs = 50,
                                .portions = 4,
                                .portion_distribution = scenarios::PortionKind::exponential,
                                .portion_draw = draw})
                              .workload;
    std::set<core::Duration> durations;
    for (const agents::Job& job : workload.jobs)
      for (const agents::Task& task : job.portions) durations.insert(task.duration);
    CHECK(durations.size() == (draw == scenarios::PortionDraw::job ? 50 : 200));
  }
}

TEST_CASE("exponential arrivals have the mean spacing and a spread as large") {
  const auto workload = load({.jobs = 20'001,
                              .portions = 1,
                              .arrivals = scenarios::ArrivalKind::exponential,
                              .spacing = 50ms})
                            .workload;
  check_sound(workload);
  CHECK(workload.jobs.front().arrival == Time{});
  const double mean = core::seconds(workload.jobs.back().arrival) / 20'000;
  CHECK(mean == doctest::Approx(0.05).epsilon(0.03));
  double squares = 0;
  for (std::size_t j = 1; j < workload.jobs.size(); ++j) {
    const double gap = core::seconds(workload.jobs[j].arrival - workload.jobs[j - 1].arrival);
    squares += (gap - mean) * (gap - mean);
  }
  CHECK(squares / 20'000 == doctest::Approx(mean * mean).epsilon(0.05));
}

TEST_CASE("tasks of real work carry the input of their kind, emulated tasks none") {
  const auto matrix = test::kind_named(agents::work_kinds(), "matrix");
  const auto task = load({.jobs = 1, .portions = 1, .work = matrix}).workload.jobs[0].portions[0];
  CHECK(task.recipe == test::matrix_work(128).recipe);
  CHECK(load({.jobs = 1, .portions = 1}).workload.jobs[0].portions[0].recipe == core::Recipe{});
}

TEST_CASE("the tasks of a Google job arrive together when its first was submitted") {
  const LoadedWorkload loaded =
      load_text({.kind = google}, google_task("7", "3000000", "2500000") +
                                      google_task("8", "4000000", "1000000") +
                                      google_task("7", "9000000", "500000", "0.5"));
  check_sound(loaded.workload);
  REQUIRE(loaded.workload.jobs.size() == 2);
  CHECK(loaded.remarks.empty());
  const auto& first = loaded.workload.jobs[0];
  REQUIRE(first.portions.size() == 2);
  CHECK(first.arrival == Time{});
  CHECK(first.portions[0].duration == 2500ms);
  CHECK(first.portions[1].duration == 500ms);
  CHECK(first.portions[1].memory == 0.5);
  CHECK(loaded.workload.jobs[1].arrival == Time(1s));
}

TEST_CASE("a row of Google's own table is recognised, and told what it needs first") {
  CHECK(complaint(google, "0,,3418309,0,4155527081,0,yMn,3,9,0.125,0.0744,0.0004244,0\n")
            .starts_with("1:1: this has the 13 fields of a task event; "));
}

TEST_CASE("the shipped sample of the Google trace agrees with its description") {
  const LoadedWorkload loaded =
      load({.kind = google, .file = test::shipped("scenarios/data/google2011_sample.csv.gz")});
  check_sound(loaded.workload);
  CHECK(loaded.remarks.empty());
  REQUIRE(loaded.workload.jobs.size() == 150);
  CHECK(loaded.workload.tasks() == 2'052);
  CHECK(core::seconds(loaded.workload.jobs.back().arrival) ==
        doctest::Approx(1410.2).epsilon(0.001));
  double work = 0;
  std::size_t lone = 0;
  for (const auto& job : loaded.workload.jobs) {
    lone += job.portions.size() == 1 ? 1 : 0;
    for (const auto& task : job.portions) work += core::seconds(task.duration);
  }
  CHECK(lone == 127);
  CHECK(work == doctest::Approx(607'900).epsilon(0.0001));
}

TEST_CASE("a trace is cut to its window and to the jobs asked for, and says so") {
  std::string text;
  for (int j = 0; j < 10; ++j)
    text += google_task(std::to_string(j), std::to_string(5'000'000 + j * 1'000'000), "1000000");
  WorkloadSection section{.kind = google, .from = 3s, .until = 8s};
  const LoadedWorkload windowed = load_text(section, text);
  CHECK(windowed.workload.jobs.size() == 5);
  CHECK(windowed.workload.jobs[0].arrival == Time{});
  CHECK(windowed.remarks ==
        std::vector<std::string>{"3 of 10 jobs left out: before workload.from",
                                 "2 of 10 jobs left out: not before workload.until"});
  section.max_jobs = 2;
  const LoadedWorkload cut = load_text(section, text);
  CHECK(cut.workload.jobs.size() == 2);
  CHECK(cut.remarks == std::vector<std::string>{"3 of 10 jobs left out: before workload.from",
                                                "2 of 10 jobs left out: not before workload.until",
                                                "3 of 10 jobs left out: beyond workload.max_jobs"});
  section.from = 1h;
  section.until = 2h;
  CHECK_THROWS_AS((void)load_text(section, text), InputError);
}

TEST_CASE("a trace is compressed in its arrivals and scaled in its durations") {
  const auto workload =
      load_text({.kind = google, .time_compression = 10, .duration_scale = 0.5},
                google_task("1", "0", "3000000") + google_task("2", "5000000", "1000000"))
          .workload;
  CHECK(workload.jobs[1].arrival == Time(500ms));
  CHECK(workload.jobs[0].portions[0].duration == 1500ms);
}

TEST_CASE("errors in a Google trace are reported with line and column") {
  const std::string good = google_task("1", "0", "1000");
  CHECK(complaint(google, "") == "1:1: no job of the trace is left to run");
  CHECK(complaint(google, good + "1,2,3\n") == "2:5: a task has 10 fields, but this line has 3");
  CHECK(complaint(google, good + "1,0,0,0,0,1,1,9,0.1,0.1,0\n") ==
        "2:25: a task has 10 fields, but this line has 11");
  CHECK(complaint(google, google_task("x7", "0", "1000")) ==
        "1:1: job_id must be a number, not \"x7\"");
  CHECK(complaint(google, google_task("7", "", "1000")) ==
        "1:5: submit_us must be a number, not \"\"");
  CHECK(complaint(google, google_task("7", "0", "-5")) ==
        "1:12: duration (run_us / 1e6) must not be negative");
  CHECK(complaint(google, google_task("7", "0", "1e300")) ==
        "1:12: duration (run_us / 1e6) is impossibly large");
  CHECK(complaint(google, google_task("7", "0", "nan")) == "1:12: run_us must be a finite number");
  for (const std::string row : {"7,0,0,1000,9,1,1,9,0.5,1.5\n", "7,0,0,1000,9,1,1,9,1.5,0.25\n",
                                "7,0,0,1000,9,1,1,9,-0.1,0.25\n"})
    CHECK(complaint(google, row).starts_with("1:20: this row is not as required: cpu_request"));
  CHECK(complaint(google, google_task("7", "0", "9", "-0.5")) ==
        "1:27: memory_request must not be negative");
  CHECK(complaint(google,
                  "job_id,task_index,submit_us,run_us,wait_us,attempts,scheduling_class,"
                  "priority,cpu_request,memory_request\n" +
                      good) == "1:29: this column must be wait_us");
  CHECK(complaint(google, google_task("7\x1b[31m", "0", "9")) ==
        "1:1: job_id must be a number, not \"7?[31m\"");
}

TEST_CASE("a log of jobs may have times since 1970, more fields, points and other comments") {
  const LoadedWorkload loaded =
      load_text({.kind = swf},
                "# of today\n1 1700000000 -1 10 1.0 -1 -1 1 -1 -1 1 1 1 1 1 1 -1 -1 queue 7\n"
                "2 1700000005 -1 10.5 2 -1 -1 1 -1 -1 1 1 1 1 1 1 -1 -1\n");
  check_sound(loaded.workload);
  REQUIRE(loaded.workload.jobs.size() == 2);
  CHECK(loaded.workload.jobs[1].arrival == Time(5s));
  CHECK(loaded.workload.jobs[1].portions.size() == 2);
}

TEST_CASE("a parallel job becomes one portion per processor") {
  const LoadedWorkload loaded = load_text(
      {.kind = swf}, "; Version: 2\n;\n" + swf_job(1, 100, 60, 4, -1) + swf_job(2, 130, 5, 1, 8));
  check_sound(loaded.workload);
  REQUIRE(loaded.workload.jobs.size() == 2);
  CHECK(loaded.remarks.empty());
  CHECK(loaded.workload.jobs[0].portions.size() == 4);
  CHECK(loaded.workload.jobs[0].portions[3].duration == 60s);
  CHECK(loaded.workload.jobs[1].portions.size() == 1);
  CHECK(loaded.workload.jobs[1].arrival == Time(30s));
}

TEST_CASE("parallel jobs that cannot run are left out, counted by reason") {
  const LoadedWorkload loaded = load_text(
      {.kind = swf}, swf_job(1, 0, 60, 2, -1) + swf_job(2, 1, 0, 2, -1) + swf_job(3, 2, -1, 2, -1) +
                         swf_job(4, 3, 60, 0, -1) + swf_job(5, 4, 60, -1, 3));
  CHECK(loaded.workload.jobs.size() == 2);
  CHECK(loaded.workload.jobs[1].portions.size() == 3);
  CHECK(loaded.remarks ==
        std::vector<std::string>{
            "jobs left out because they have no run time: 2",
            "jobs left out because they have no processors: 1",
            "jobs with the processors they requested, those allocated being unknown: 1"});
}

TEST_CASE("errors in a Standard Workload file are reported with line and column") {
  const std::string good = swf_job(1, 0, 60, 2, -1);
  CHECK(complaint(swf, "; nothing but a comment\n") == "1:1: no job of the trace is left to run");
  CHECK(complaint(swf, ";\n" + good + " 1 2 3\n") ==
        "3:6: a job has 18 fields, but this line has 3");
  CHECK(complaint(swf, "1 0 -1 sixty 2 -1 -1 -1 -1 -1 1 1 1 -1 -1 -1 -1 -1\n") ==
        "1:8: field 4 must be a number, not \"sixty\"");
  CHECK(complaint(swf, "1 0 -1 60 2.5 -1 -1 -1 -1 -1 1 1 1 -1 -1 -1 -1 -1\n") ==
        "1:11: allocated processors must be a whole number");
  CHECK(complaint(swf, swf_job(1, -1, 60, 2, -1)) == "1:3: the submit time must not be negative");
  CHECK(complaint(swf, swf_job(1, 0, 60, 2'000'000, -1)) ==
        "1:11: no machine has so many processors");
}

TEST_CASE("no damage to a trace does worse than an error with a position") {
  std::string google_text;
  std::string swf_text;
  for (int j = 0; j < 30; ++j) {
    google_text += google_task(std::to_string(j), std::to_string(j * 1'000), "1000000");
    swf_text += swf_job(j, j, 60, 2, -1);
  }
  constexpr std::string_view likely = "0123456789.-e, \n";
  Rng rng(21);
  int refused = 0;
  for (int round = 0; round < 600; ++round) {
    CAPTURE(round);
    const WorkloadKind kind = round % 2 == 0 ? google : swf;
    std::string text = kind == google ? google_text : swf_text;
    for (int damage = 0; damage < 4; ++damage)
      text[rng.below(text.size())] =
          round % 4 < 2 ? static_cast<char>(rng.below(256)) : likely[rng.below(likely.size())];
    refused += complaint(kind, text) == "nothing" ? 0 : 1;
  }
  CHECK(refused > 300);
  CHECK(refused < 600);
}

}  // namespace rhizome::workload_test
