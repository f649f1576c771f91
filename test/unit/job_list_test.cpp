// Lists of jobs: out of files, and through pipes as they come.
#include "scenarios/world/workload/job_list.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/experiment/handed_in.hpp"
#include "scenarios/text/coming_lines.hpp"
#include "scenarios/text/input_error.hpp"
#include "scenarios/text/whole_file.hpp"
#include "scenarios/world/workload/job_work.hpp"
#include "scenarios/world/workload/workload.hpp"
#include "test/support/job_lists.hpp"
#include "test/support/temporary_directory.hpp"
#include "test/support/temporary_file.hpp"

namespace rhizome::job_list_test {

using namespace std::chrono_literals;
using core::Time;
using scenarios::WorkloadSection;
using test::section_of;

namespace {

// "2@500ms x20ms": so many tasks, when, how long each.
std::string text_of(const agents::Job& job) {
  return std::to_string(job.portions.size()) + "@" +
         std::to_string(job.arrival.time_since_epoch() / 1ms) + "ms x" +
         std::to_string(job.portions.front().duration / 1ms) + "ms";
}

std::vector<std::string> jobs_of(const std::string& text, std::uint32_t max_jobs = 100) {
  const test::TemporaryFile file(text);
  const auto arrivals = scenarios::open_job_list(section_of(file.name(), max_jobs));
  std::vector<std::string> jobs;
  while (const auto job = arrivals->next()) jobs.push_back(text_of(*job));
  return jobs;
}

std::string refusal_of(const std::string& text) {
  try {
    static_cast<void>(jobs_of(text));
  } catch (const scenarios::InputError& error) {
    return std::to_string(error.place().line) + ":" + std::to_string(error.place().column);
  }
  return "none";
}

// A pipe with a name, and the end into which is written.
class Pipe {
 public:
  Pipe() : name_((directory_.path() / "pipe").string()) {
    REQUIRE(mkfifo(name_.c_str(), 0600) == 0);
  }
  ~Pipe() { end(); }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  // Call once the pipe has a reader.
  void begin() { writer_ = open(name_.c_str(), O_WRONLY | O_NONBLOCK); }
  void write(const std::string& text) {
    REQUIRE(::write(writer_, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  }
  void end() {
    if (writer_ >= 0) close(writer_);
    writer_ = -1;
  }
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  test::TemporaryDirectory directory_;
  std::string name_;
  int writer_ = -1;
};

// The lines available now.
std::vector<std::string> lines_now(scenarios::ComingLines& lines) {
  std::vector<std::string> all;
  for (std::string_view line; lines.next(line);) all.emplace_back(line);
  return all;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("a list of jobs says when, how many tasks and how long, from the start of the run on") {
  CHECK(jobs_of("# when tasks seconds\n0.5 2 0.02\n\n1.25 1 3\n") ==
        Texts{"2@500ms x20ms", "1@1250ms x3000ms"});
  CHECK(jobs_of("2 1 1\n1 3 1\n") == Texts{"3@1000ms x1000ms", "1@2000ms x1000ms"});
  CHECK(jobs_of("1 1 1\n2 1 1\n3 1 1\n", 2).size() == 2);
}

TEST_CASE("errors in a list of jobs are refused at their place") {
  CHECK(refusal_of("0 2 0.02\n1 2\n") == "2:3");
  CHECK(refusal_of("0 0 0.02\n") == "1:3");
  CHECK(refusal_of("0 1001 0.02\n") == "1:3");
  CHECK(refusal_of("0 1.5 0.02\n") == "1:3");
  CHECK(refusal_of("0 1 0\n") == "1:5");
  CHECK(refusal_of("0 1 3601\n") == "1:5");
  CHECK(refusal_of("-1 1 1\n") == "1:1");
  CHECK(refusal_of("now 1 1\n") == "1:1");
  CHECK(refusal_of("0 1 1 1\n") == "1:7");
  CHECK(refusal_of("# nothing\n") == "1:1");
}

TEST_CASE("a job of a list names the work of its tasks, in words that its record repeats") {
  const test::TemporaryDirectory directory;
  const std::string folder = directory.path().string();
  std::ofstream(directory.path() / "two words.txt") << "one two\nthree\n";
  const test::TemporaryFile list(
      "0 2 1 matrix order=8\n1 1 1\n"
      "2 3 1  count  file=\"two words.txt\"\n"
      "3 1 1 child program=true arguments=\"-a \\\"b c\\\"\" status=1 time_limit=1.5s\n");
  WorkloadSection section = section_of(list.name());
  auto& bounds = section.own.change<scenarios::JobBounds>();
  bounds.folder = folder;
  bounds.programs = "wc true";
  const auto arrivals = scenarios::open_job_list(section);
  std::vector<std::string> works;
  while (const auto job = arrivals->next()) {
    works.push_back(scenarios::words_of(job->portions.front().recipe));
    for (const agents::Task& task : job->portions)
      CHECK(task.recipe == job->portions.front().recipe);
  }
  const std::string real = std::filesystem::canonical(directory.path()).string();
  CHECK(works == Texts{"matrix order=8", "", "count file=\"" + real + "/two words.txt\"",
                       "child program=true arguments=\"-a \\\"b c\\\"\" directory=" + real +
                           " status=1 time_limit=1500ms links=false"});
  const test::TemporaryFile odd("0 1 1 child program=true arguments=\"a\\n#b\\rc\"\n");
  section.file = odd.name();
  const std::string words =
      scenarios::words_of(scenarios::open_job_list(section)->next()->portions.front().recipe);
  CHECK(words.find("arguments=\"a\\n#b\\rc\"") != std::string::npos);
  const test::TemporaryFile again("0 1 1 " + works[2] + "\n0 1 1 " + works[3] + "\n");
  section.file = again.name();
  const auto same = scenarios::open_job_list(section);
  CHECK(scenarios::words_of(same->next()->portions.front().recipe) == works[2]);
  CHECK(scenarios::words_of(same->next()->portions.front().recipe) == works[3]);
}

TEST_CASE("a job of a list computes nothing that its scenario does not allow") {
  const test::TemporaryDirectory directory;
  const auto refused = [&](const std::string& work) {
    const test::TemporaryFile list("0 1 1 " + work + "\n");
    WorkloadSection section = section_of(list.name());
    auto& bounds = section.own.change<scenarios::JobBounds>();
    bounds.folder = directory.path().string();
    bounds.programs = "true ./tool";
    try {
      static_cast<void>(scenarios::open_job_list(section)->next());
    } catch (const scenarios::InputError& error) {
      return error.place().column - 6;
    }
    return std::size_t{0};
  };
  std::ofstream(directory.path() / "in.txt") << "words\n";
  std::filesystem::create_symlink("/etc/passwd", directory.path() / "link.txt");
  CHECK(refused("count file=in.txt") == 0);
  CHECK(refused("child program=true") == 0);
  CHECK(refused("count file=link.txt") == 7);
  CHECK(refused("count file=/etc/passwd") == 7);
  CHECK(refused("count file=../x") == 7);
  CHECK(refused("count file=absent.txt") == 7);
  std::filesystem::create_symlink("loop", directory.path() / "loop");
  CHECK(refused("count file=loop") == 7);
  CHECK(refused("child program=true input=loop") == 20);
  CHECK(refused("count") == 1);
  CHECK(refused("sort") == 1);
  CHECK(refused("count=1") == 1);
  CHECK(refused("matrix rows=3") == 8);
  CHECK(refused("matrix order=0") == 8);
  CHECK(refused("matrix order=many") == 8);
  CHECK(refused("matrix order") == 8);
  CHECK(refused("matrix order=2 order=2") == 16);
  CHECK(refused("count file=\"in.txt") == 12);
  CHECK(refused("count file=\"in.txt\"x") == 20);
  CHECK(refused("count file=\"in\\u0000.txt\"") == 12);
  CHECK(refused("child program=false") == 7);
  CHECK(refused("child program=true output=../x") == 20);
  CHECK(refused("child program=true output=/tmp/x") == 20);
  CHECK(refused("child program=true directory=/") == 20);
  CHECK(refused("child program=true output=x") == 20);  // there is no folder for it
  const std::filesystem::path outputs = directory.path() / scenarios::JobWork::outputs_folder;
  std::filesystem::create_directories(outputs / "own");
  const test::TemporaryDirectory elsewhere;
  std::filesystem::create_directory_symlink(elsewhere.path(), outputs / "away");
  std::ofstream(elsewhere.path() / "x") << "of another\n";
  std::filesystem::create_directory_symlink(elsewhere.path(), outputs / "away-7");
  std::filesystem::create_symlink("/tmp/none", outputs / "out-7");
  REQUIRE(mkfifo((outputs / "pipe").c_str(), 0600) == 0);
  std::ofstream(outputs / "known") << "of an earlier run\n";
  CHECK(refused("child program=true output=x") == 0);
  CHECK(refused("child program=true output=known") == 0);
  CHECK(refused("child program=true output=own/x") == 0);
  CHECK(refused("child program=true output=own/x-{task}") == 0);
  CHECK(refused("child program=true output=away/y") == 20);  // which does not exist
  CHECK(refused("child program=true output=away-{task}/x") == 20);
  CHECK(refused("child program=true output=out-7") == 20);
  CHECK(refused("child program=true output=out-{task}") == 20);
  CHECK(refused("child program=true output=pipe") == 20);
  CHECK(refused("child program=true output=own/") == 20);
  CHECK(refused("child program=true output=../in.txt") == 20);
  CHECK(refused("child program=true output=own/../../in.txt") == 20);
  CHECK(refused("child program=true output=.hidden") == 20);
  CHECK(refused("child program=true output=own/.git/config") == 20);
  const std::filesystem::path tool = directory.path() / "tool";
  std::ofstream(tool) << "#!/bin/sh\n";
  REQUIRE(chmod(tool.c_str(), 0755) == 0);
  CHECK(refused("child program=./tool") == 0);
  REQUIRE(chmod(tool.c_str(), 0777) == 0);  // others could write another program there
  CHECK(refused("child program=./tool") == 7);
  if (geteuid() != 0) return;
  REQUIRE(chown(outputs.c_str(), 65534, 65534) == 0);  // a folder that another user has put there
  CHECK(refused("child program=true output=x") == 20);
}

TEST_CASE("lines come through a pipe as far as they have been written, without waiting") {
  Pipe pipe;
  scenarios::ComingLines lines(pipe.name());
  CHECK(lines_now(lines).empty());
  CHECK(lines.open());
  pipe.begin();
  pipe.write("one\ntwo\r\nthr");
  CHECK(lines_now(lines) == Texts{"one", "two"});
  CHECK(lines_now(lines).empty());
  pipe.write("ee\nfour");
  CHECK(lines_now(lines) == Texts{"three"});
  pipe.end();
  CHECK(lines_now(lines) == Texts{"four"});
  CHECK(lines_now(lines).empty());
  CHECK_FALSE(lines.open());
}

TEST_CASE("jobs that come through a pipe arrive when they are taken, and are told") {
  Pipe pipe;
  std::vector<std::string> told;
  auto arrivals = scenarios::open_job_list(section_of(pipe.name()));
  scenarios::HandedIn inputs(std::move(arrivals), agents::enter_at(core::PeerId{3}), {}, false,
                             [&](const agents::Job& job) { told.push_back(text_of(job)); });
  CHECK_FALSE(inputs.next({}));
  CHECK(inputs.awaits());
  pipe.begin();
  pipe.write("now 2 0.02\n");
  const auto first = inputs.next(Time{} + 700ms);
  REQUIRE(first);
  CHECK(first->at == Time{} + 700ms);
  CHECK(first->info->name == "job-arrives");
  CHECK_FALSE(inputs.next(Time{} + 800ms));
  pipe.write("now 1 1\n");
  CHECK(inputs.next(Time{} + 900ms)->info->name == "job-arrives");
  CHECK_FALSE(inputs.next(Time{} + 920ms));
  pipe.end();
  const auto last = inputs.next(Time{} + 950ms);
  CHECK(last->info->name == "no-more-jobs");
  CHECK(last->at == Time{} + 950ms);
  CHECK_FALSE(inputs.awaits());
  CHECK(told == Texts{"2@700ms x20ms", "1@900ms x1000ms"});
}

TEST_CASE("no more jobs are taken out of a pipe than were said to come at most") {
  Pipe pipe;
  const auto arrivals = scenarios::open_job_list(section_of(pipe.name(), 2));
  pipe.begin();
  pipe.write("now 1 1\nnow 1 1\nnow 1 1\n");
  CHECK(arrivals->next());
  CHECK(arrivals->awaits());
  CHECK(arrivals->next());
  CHECK_FALSE(arrivals->awaits());
  CHECK_FALSE(arrivals->next());
}

TEST_CASE("times follow no bound of the jobs that may come through a pipe") {
  CHECK(scenarios::bounds_of_job_list(section_of("-")).mean_task() < 1);
}

TEST_CASE("a record of jobs is a list of the same jobs") {
  const test::TemporaryDirectory directory;
  const std::string file = (directory.path() / "jobs.txt").string();
  scenarios::JobRecord record(file);
  record.add({.id = 0,
              .arrival = Time{} + 1234567891ns,
              .portions = {{.id = {0, 0}, .duration = 20ms}, {.id = {0, 1}, .duration = 20ms}}});
  const auto again = scenarios::open_job_list(section_of(file));
  const auto job = again->next();
  REQUIRE(job);
  CHECK(job->arrival == Time{} + 1234567891ns);
  CHECK(job->portions.size() == 2);
  CHECK(job->portions[1].duration == 20ms);
  CHECK(record.profile().tasks == 2);
  CHECK_THROWS_AS(scenarios::JobRecord("/dev/full").add(*job), scenarios::CannotWrite);
}

}  // namespace rhizome::job_list_test
