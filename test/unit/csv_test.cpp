#include "scenarios/world/workload/csv.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "scenarios/text/input_error.hpp"
#include "scenarios/world/workload/workload.hpp"
#include "test/support/temporary_file.hpp"

namespace rhizome::csv_test {

using namespace std::chrono_literals;
using core::Time;
using scenarios::BadRow;
using scenarios::CsvOptions;
using scenarios::InputError;
using scenarios::TableUnit;
using scenarios::TaskArrivals;
using scenarios::WorkloadSection;
using test::TemporaryFile;

namespace {

struct Read {
  std::vector<agents::Job> jobs;
  std::vector<std::string> remarks;
};

WorkloadSection section_of(const CsvOptions& options, const std::string& file) {
  WorkloadSection section{.file = file};
  section.own.change<CsvOptions>() = options;
  return section;
}

Read read(const CsvOptions& options, const std::string& text,
          const scenarios::CsvLayout& layout = {}) {
  const TemporaryFile file(text);
  const auto arrivals = scenarios::open_csv(section_of(options, file.name()), layout);
  Read all;
  while (auto job = arrivals->next()) all.jobs.push_back(*std::move(job));
  all.remarks = arrivals->remarks();
  for (std::string& remark : all.remarks)
    if (const std::size_t at = remark.find(file.name()); at != std::string::npos)
      remark.replace(at, file.name().size(), "FILE");
  return all;
}

std::string complaint(const CsvOptions& options, const std::string& text) {
  const TemporaryFile file(text);
  try {
    const auto arrivals = scenarios::open_csv(section_of(options, file.name()));
    while (arrivals->next()) {
    }
  } catch (const InputError& error) {
    REQUIRE(std::string(error.what()).starts_with(file.name() + ":"));
    return std::string(error.what()).substr(file.name().size() + 1);
  }
  return "nothing";
}

const CsvOptions usual{.arrival = "at", .duration = "run"};

}  // namespace

TEST_CASE("a table is read by the names of its columns, in whatever order they stand") {
  const Read got = read({.arrival = "at", .duration = "run * cpu / 2", .job = "job"},
                        "cpu,job,at,run\n1,x,10,4\n0.5,y,12,4\n2,x,11,1\n");
  REQUIRE(got.jobs.size() == 2);
  CHECK(got.jobs[0].arrival == Time{});
  REQUIRE(got.jobs[0].portions.size() == 2);
  CHECK(got.jobs[0].portions[0].duration == 2s);
  CHECK(got.jobs[0].portions[1].duration == 1s);
  CHECK(got.jobs[1].arrival == Time(2s));
  CHECK(got.jobs[1].portions[0].duration == 1s);
  CHECK(got.remarks.empty());
}

TEST_CASE("a byte order mark, quotes, blanks, comments and Windows' ends of lines do no harm") {
  const Read got = read({.arrival = "at", .duration = "run", .job = "who"},
                        "\xEF\xBB\xBF# of today\r\n\r\n\"at\", \"run\" ,who\r\n"
                        "0, \"1\" ,\"a, \"\"b\"\"\"\r\n1,2,\"a, \"\"b\"\"\"\r\n1,3, c \r\n");
  REQUIRE(got.jobs.size() == 2);
  CHECK(got.jobs[0].portions.size() == 2);
  CHECK(got.jobs[1].portions[0].duration == 3s);
}

TEST_CASE("a table without names is read by the numbers of its columns, or by names given") {
  const CsvOptions by_number{.header = false, .arrival = "$1", .duration = "$3"};
  CHECK(read(by_number, "0,x,5\n1,y,6\n").jobs[1].portions[0].duration == 6s);
  const CsvOptions by_name{.columns = "at, name ,run", .arrival = "at", .duration = "run"};
  CHECK(read(by_name, "0,x,5\n1,y,6\n").jobs.size() == 2);
  CHECK(read(by_name, "at,name,run\n0,x,5\n1,y,6\n").jobs.size() == 2);
  CHECK(complaint(by_name, "at,run,name\n") == "1:4: this column must be name");
  CHECK(complaint(by_number, "0,1\n") == "1:3: a task has 3 fields, but this line has 2");
}

TEST_CASE("fields may be separated by other characters") {
  CsvOptions options = usual;
  for (const auto& [word, separator] :
       {std::pair{"tab", "\t"}, {";", ";"}, {"|", "|"}, {"blank", "  "}}) {
    options.separator = word;
    const std::string s = separator;
    CHECK(read(options, "at" + s + "run\n0" + s + "\"7\"\n").jobs[0].portions[0].duration == 7s);
  }
  options.separator = "ab";
  CHECK(complaint(options, "at,run\n") ==
        "1:1: \"separator\" must be one character, \"tab\" or \"blank\"");
}

TEST_CASE("units scale times, and only differences of arrivals count") {
  CsvOptions options = usual;
  options.arrival_unit = TableUnit::us;
  options.duration_unit = TableUnit::ms;
  options.estimate = "guess";
  const Read got = read(options, "at,run,guess\n1700000000000000,2500,1\n1700000000000001,1,0\n");
  CHECK(got.jobs[0].portions[0].duration == 2500ms);
  CHECK(got.jobs[0].portions[0].estimate == 1ms);
  CHECK(got.jobs[1].arrival == Time(1us));
  CHECK(got.jobs[1].portions[0].estimated() == 1ms);
  options.arrival_unit = TableUnit::d;
  CHECK(read(options, "at,run,guess\n0,1,0\n0.5,1,0\n").jobs[1].arrival == Time(12h));
}

TEST_CASE("the tasks of a job arrive together or apart") {
  CsvOptions options = usual;
  options.job = "job";
  const std::string text = "at,run,job\n1,1,a\n2,1,b\n4,1,a\n";
  const Read together = read(options, text);
  CHECK(together.jobs[0].portions[1].after == 0s);
  options.task_arrivals = TaskArrivals::apart;
  const Read apart = read(options, text);
  REQUIRE(apart.jobs.size() == 2);
  CHECK(apart.jobs[0].arrival == Time{});
  CHECK(apart.jobs[0].portions[0].after == 0s);
  CHECK(apart.jobs[0].portions[1].after == 3s);
  CHECK(apart.jobs[1].arrival == Time(1s));
}

TEST_CASE("a row may be several tasks alike, with slots and memory of their own") {
  CsvOptions options = usual;
  options.tasks = "n";
  options.task_cpus = "ceil(cores)";
  options.task_memory = "mem / 100";
  const Read got = read(options, "at,run,n,cores,mem\n0,1,3,1.5,25\n");
  REQUIRE(got.jobs[0].portions.size() == 3);
  CHECK(got.jobs[0].portions[2].cpus == 2);
  CHECK(got.jobs[0].portions[2].memory == 0.25);
  CHECK(complaint(options, "at,run,n,cores,mem\n0,1,0,1,1\n") ==
        "2:5: n must be a whole number, at least 1");
  CHECK(complaint(options, "at,run,n,cores,mem\n0,1,1.5,1,1\n") ==
        "2:5: n must be a whole number, at least 1");
}

TEST_CASE("rows that the filter leaves out are counted") {
  CsvOptions options = usual;
  options.filter = "status == 'Terminated' && run > 0";
  const Read got = read(options, "at,run,status\n0,1,Terminated\n1,0,Terminated\n2,1,Failed\n");
  CHECK(got.jobs.size() == 1);
  CHECK(got.remarks == std::vector<std::string>{"rows left out by the filter: 2"});
}

TEST_CASE("rows that do not fit are refused with the first one's place, and counted") {
  CHECK(complaint(usual, "at,run\n0,1\n1,-1\n") == "3:3: run must not be negative");
  CHECK(complaint(usual, "at,run\n0,1\n1,x\n2,1\n-1,1\n1,2,3\n") ==
        "3:3: run must be a number, not \"x\"; it is the first of 3 rows that do not fit: "
        "on_bad_row = \"skip\" leaves them out");
  CHECK(complaint(usual, "at,run\n-1,1\n") == "2:1: at must not be negative");
  CHECK(complaint(usual, "at,run\n0,1e300\n") == "2:3: run is impossibly large");
  CHECK(complaint(usual, "at,run\n0,1\n1e12,1\n") ==
        "3:1: at is impossibly far from that of the first row");
  CHECK(complaint(usual, "at,run\n0,\"1\n") ==
        "2:3: the quote that opens here is not closed on its line");
  CHECK(complaint(usual, "at,run\n0,\"1\"2\n") ==
        "2:6: a field that is quoted ends with its quote");
}

TEST_CASE("rows that do not fit are left out where the scenario says so") {
  CsvOptions options = usual;
  options.on_bad_row = BadRow::skip;
  const Read got = read(options, "at,run\n0,1\n1,x\n2,1\n-1,1\n1,2,3\n");
  CHECK(got.jobs.size() == 2);
  CHECK(got.remarks ==
        std::vector<std::string>{"rows left out because they do not fit: 3, the first being "
                                 "FILE:3:3: run must be a number, not \"x\""});
}

TEST_CASE("a table without rows, or without a column that is asked for, is refused") {
  CHECK(complaint(usual, "") == "1:1: no job of the trace is left to run");
  CHECK(complaint(usual, "at,run\n") == "1:1: no job of the trace is left to run");
  CHECK(complaint(usual, "at,ran\n0,1\n") ==
        "1:1: \"duration\": there is no column \"run\"; did you mean \"ran\"?");
  CHECK(complaint(usual, "at,run,at\n0,1,2\n").starts_with("1:1: two columns are named \"at\""));
  CHECK(complaint({.duration = "run"}, "at,run\n").starts_with("1:1: \"arrival\" is missing"));
}

TEST_CASE("a wrong key is reported with the first line of the table") {
  const TemporaryFile file("# a table\nat,run\n0,x\n");
  const auto of = [&](const CsvOptions& options) {
    return scenarios::csv_complaint(section_of(options, file.name()), {});
  };
  CHECK_FALSE(of(usual));
  CsvOptions options = usual;
  options.filter = "run >";
  const auto found = of(options);
  REQUIRE(found);
  CHECK(found->keys.front() == "filter");
  CHECK(found->text.starts_with("\"filter\": at the end of the formula"));
}

TEST_CASE("Alibaba's and Azure's traces are read by their layouts") {
  const Read alibaba =
      read({},
           "M1,2,j_1,1,Terminated,86400,86410,100,0.3\nR2_1,1,j_1,1,Terminated,86410,86415,,\n"
           "M1,1,j_2,1,Failed,86400,86401,100,0.3\n",
           scenarios::alibaba_layout());
  REQUIRE(alibaba.jobs.size() == 1);
  CHECK(alibaba.jobs[0].portions.size() == 3);
  CHECK(alibaba.jobs[0].portions[0].duration == 10s);
  const Read azure = read({}, "app,func,end_timestamp,duration\na,f,2.5,0.5\nb,f,2.25,1\n",
                          scenarios::azure_layout());
  REQUIRE(azure.jobs.size() == 2);
  CHECK(azure.jobs[0].portions[0].duration == 1s);
  CHECK(azure.jobs[1].arrival == Time(750ms));
}

TEST_CASE("settings of the scenario override a layout") {
  const Read got = read(
      {.duration = "run_us * cpu_request / 9.7e6", .filter = "run_us * cpu_request > 0"},
      "7,0,0,1,9700000,1,1,1,0.5,0.1\n7,1,5,1,9700000,1,1,1,0,0.1\n", scenarios::google_layout());
  REQUIRE(got.jobs.size() == 1);
  REQUIRE(got.jobs[0].portions.size() == 1);
  CHECK(got.jobs[0].portions[0].duration == 500ms);
}

}  // namespace rhizome::csv_test
