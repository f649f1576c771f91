// The work that lines of a list of jobs name: what it may read, write and run.
#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

#include "agents/work/kinds.hpp"
#include "scenarios/world/workload/job_list.hpp"
#include "scenarios/world/workload/job_work.hpp"
#include "scenarios/world/workload/workload.hpp"
#include "test/support/job_lists.hpp"
#include "test/support/temporary_directory.hpp"
#include "test/support/temporary_file.hpp"

namespace rhizome::job_list_work_test {

using namespace std::chrono_literals;
using scenarios::WorkloadSection;
using test::section_of;

TEST_CASE("a line that was judged before is not refused when its files have gone: its work fails") {
  const test::TemporaryDirectory directory;
  const auto job_of = [&](const std::string& work) {
    const test::TemporaryFile list("0 1 1 " + work + "\n");
    WorkloadSection section = section_of(list.name());
    section.own.change<scenarios::JobBounds>() = {
        .folder = directory.path().string(), .programs = "true", .judged = true};
    return scenarios::open_job_list(section)->next().value().portions.front().recipe;
  };
  std::filesystem::create_directories(directory.path() / "in");
  std::filesystem::create_symlink("/etc", directory.path() / "away");
  const std::string long_work =
      "child program=true input=absent.txt arguments=" + std::string(3950, 'a');
  for (const char* work :
       {"count file=absent.txt", "count file=away/passwd", "count file=/etc/passwd",
        "child program=true directory=none", "child program=true output=../x", long_work.c_str()}) {
    CAPTURE(work);
    const core::Recipe recipe = job_of(work);
    CHECK(scenarios::words_of(recipe).find("-has-gone-") != std::string::npos);
    CHECK(scenarios::JobWork(directory.path().string(), "true").admits(recipe));
  }
  CHECK(scenarios::words_of(job_of("child program=true directory=in")).find("-has-gone-") ==
        std::string::npos);
}

TEST_CASE("no job of a server reads the server's own store, nor a file beside it") {
  const test::TemporaryDirectory directory;
  const std::filesystem::path real = std::filesystem::canonical(directory.path());
  std::filesystem::create_directory(real / "run");
  for (const char* name : {"jobs.sqlite", "jobs.sqlite-shm", "jobs.txt", "run/results.sqlite", "j",
                           "j-wal", "journal"})
    std::ofstream(real / name) << "words";
  const auto refusal_of = [&](const std::string& work, const std::string& store) -> std::string {
    const test::TemporaryFile list("0 1 1 " + work + "\n");
    WorkloadSection section = section_of(list.name());
    section.own.change<scenarios::JobBounds>() = {.folder = real.string(), .store = store};
    try {
      static_cast<void>(scenarios::open_job_list(section)->next());
    } catch (const scenarios::InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  const std::string store = (real / "jobs.sqlite").string();
  for (const std::string work : {"count file=jobs.sqlite", "count file=./jobs.sqlite-shm"}) {
    CHECK(refusal_of(work, store).find("is a file of the server's own") != std::string::npos);
    CHECK(refusal_of(work, "") == "accepted");
  }
  CHECK(refusal_of("count file=jobs.txt", store) == "accepted");
  CHECK(refusal_of("count file=run/results.sqlite", store) != "accepted");
  CHECK(refusal_of("count file=j-wal", (real / "j").string()) != "accepted");
  CHECK(refusal_of("count file=journal", (real / "j").string()) == "accepted");
}

// A list that a server has recorded names absolute files.
TEST_CASE("a job of a list writes into the folder of outputs, whatever its directory is") {
  const test::TemporaryDirectory directory;
  const std::filesystem::path real = std::filesystem::canonical(directory.path());
  std::filesystem::create_directories(real / scenarios::JobWork::outputs_folder);
  std::filesystem::create_directory(real / "own");
  const auto words = [&](const std::string& work) {
    const test::TemporaryFile list("0 1 1 " + work + "\n");
    WorkloadSection section = section_of(list.name());
    auto& bounds = section.own.change<scenarios::JobBounds>();
    bounds.folder = directory.path().string();
    bounds.programs = "true";
    return scenarios::words_of(scenarios::open_job_list(section)->next()->portions.front().recipe);
  };
  const std::string recorded = words("child program=true directory=own output=x");
  CHECK(recorded.find(" output=" + (real / scenarios::JobWork::outputs_folder / "x").string()) !=
        std::string::npos);
  CHECK(words(recorded) == recorded);
}

TEST_CASE("a program that is a path is the one of the list, whatever the directory of a job is") {
  const test::TemporaryDirectory directory;
  const std::filesystem::path real = std::filesystem::canonical(directory.path());
  std::filesystem::create_directory(real / "own");
  for (const std::filesystem::path& tool : {real / "tool", real / "own" / "tool"}) {
    std::ofstream(tool) << "#!/bin/sh\n";
    std::filesystem::permissions(tool, std::filesystem::perms::owner_all);
  }
  const test::TemporaryFile list("0 1 1 child program=./tool directory=own\n");
  WorkloadSection section = section_of(list.name());
  auto& bounds = section.own.change<scenarios::JobBounds>();
  bounds.folder = directory.path().string();
  bounds.programs = "./tool";
  const auto recipe = scenarios::open_job_list(section)->next()->portions.front().recipe;
  const std::string words = scenarios::words_of(recipe);
  CHECK(words.find(" program=" + (real / "./tool").string() + " ") != std::string::npos);
  CHECK(scenarios::bounds_of_job_list(section).admits(recipe));
}

TEST_CASE("a program that PATH leads to is refused if others may put one of its name there") {
  const test::TemporaryDirectory directory;
  const std::filesystem::path first = directory.path() / "first";
  const std::filesystem::path second = directory.path() / "second";
  for (const auto& folder : {first, second}) {
    std::filesystem::create_directory(folder);
    std::filesystem::permissions(folder, std::filesystem::perms::owner_all);
  }
  std::ofstream(second / "tool") << "#!/bin/sh\n";
  std::filesystem::permissions(second / "tool", std::filesystem::perms::owner_all);
  const test::TemporaryFile list("0 1 1 child program=tool\n");
  WorkloadSection section = section_of(list.name());
  section.own.change<scenarios::JobBounds>().programs = "tool";
  const std::string before = std::getenv("PATH");
  setenv("PATH", ((first / "none").string() + ":" + second.string()).c_str(), 1);
  const auto read = [&] {
    return scenarios::open_job_list(section)->next()->portions.front().recipe;
  };
  const auto recipe = read();
  for (const auto& folder : {first, second}) {
    std::filesystem::permissions(folder, std::filesystem::perms::all);
    CHECK_THROWS_AS(static_cast<void>(read()), scenarios::InputError);
    // A task that was taken is no other message by that, and stays believed.
    CHECK(scenarios::bounds_of_job_list(section).admits(recipe));
    std::filesystem::permissions(folder, std::filesystem::perms::owner_all);
  }
  CHECK(read() == recipe);
  setenv("PATH", before.c_str(), 1);
}

TEST_CASE("a task that came through a pipe with work that no line could describe is not believed") {
  const test::TemporaryDirectory directory;
  WorkloadSection section = section_of("-");
  auto& bounds = section.own.change<scenarios::JobBounds>();
  bounds.folder = directory.path().string();
  bounds.programs = "true";
  const auto recipe_of = [](const std::string& program, const std::string& folder) {
    WorkloadSection free;
    const test::TemporaryFile list("0 1 1 child program=" + program + "\n");
    free.file = list.name();
    auto& limits = free.own.change<scenarios::JobBounds>();
    limits.folder = folder;
    limits.programs = program;
    return scenarios::open_job_list(free)->next()->portions.front().recipe;
  };
  const agents::Profile profile = scenarios::bounds_of_job_list(section);
  const agents::Task emulated{.id = {0, 0}, .duration = 1s};
  const auto with = [&](core::Recipe recipe) {
    agents::Task task = emulated;
    task.recipe = std::move(recipe);
    return task;
  };
  CHECK(profile.has(emulated));
  CHECK(profile.has(with(recipe_of("true", directory.path().string()))));
  CHECK_FALSE(profile.has(with(recipe_of("false", directory.path().string()))));
  CHECK_FALSE(profile.has(with(recipe_of("true", "/"))));
  CHECK_FALSE(profile.has(with(core::Recipe(core::WorkKindId{4}, "damaged"))));
  CHECK_FALSE(profile.has(with(core::Recipe(core::WorkKindId{99}, ""))));
}

}  // namespace rhizome::job_list_work_test
