// The stored files of an experiment, with which it can be run again anywhere.
#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "core/child/exchangeable_program.hpp"
#include "scenarios/experiment/replay.hpp"
#include "scenarios/format/parser.hpp"
#include "scenarios/store/record.hpp"
#include "scenarios/store/same_again.hpp"
#include "scenarios/text/input_error.hpp"
#include "test/support/temporary_directory.hpp"
#include "test/support/temporary_file.hpp"

namespace rhizome::replay_test {

namespace fs = std::filesystem;
using scenarios::Copying;
using scenarios::Replay;

namespace {

// A directory with two traces beside a scenario, and one elsewhere.
struct Desk {
  test::TemporaryDirectory place;
  fs::path home = place.path() / "home";

  Desk() {
    fs::create_directories(home / "data");
    for (const fs::path& file :
         {home / "data" / "a.swf", home / "data" / "b.swf", place.path() / "a.swf"})
      std::ofstream(file) << "1 0 5 10 2 -1 -1 2 -1 -1 1 1 1 1 1 1 -1 -1\n";
  }
  [[nodiscard]] Replay replay(const std::string& files, const Copying& copying = {}) const {
    const fs::path file = home / "mine.toml";
    std::ofstream(file) << "peers.count = 6\nworkload = { kind = \"swf\", file = " << files
                        << " }\nengine.kind = \"virtual\"\n[[scheduler]]\nuse = "
                           "\"round-robin\"\n";
    return scenarios::replay_of(scenarios::load_scenario(file), copying);
  }
};

std::string record_with(const scenarios::Versions& versions,
                        const std::vector<scenarios::FileRead>& files) {
  scenarios::RunRecord record;
  record.versions = versions;
  record.files = files;
  return scenarios::json_of(record);
}

}  // namespace

TEST_CASE("a scenario is kept with the files that it reads, under names of its directory") {
  const Desk desk;
  const Replay replay = desk.replay("\"data/a.swf\"");
  REQUIRE(replay.files.size() == 1);
  CHECK(replay.files[0].first == desk.home / "data" / "a.swf");
  CHECK(replay.files[0].second == "files/a.swf");
  CHECK(replay.scenario.find("file = \"files/a.swf\"") != std::string::npos);
  CHECK(replay.assignments.empty());
  CHECK(replay.sources ==
        std::vector<fs::path>{desk.home / "mine.toml", desk.home / "data" / "a.swf"});
}

TEST_CASE("a sweep is kept as it was written, and its files stand where it says") {
  const Desk desk;
  const Replay replay = desk.replay("[\"data/a.swf\", \"data/b.swf\"]");
  REQUIRE(replay.files.size() == 2);
  CHECK(replay.files[1].second == "data/b.swf");
  CHECK(replay.assignments == std::vector<std::string>{"name=\"mine\""});
  CHECK(replay.scenario == test::content_of((desk.home / "mine.toml").string()));
  REQUIRE(replay.sources.size() == 3);
  CHECK(replay.sources.front() == desk.home / "mine.toml");
}

TEST_CASE("a file from outside the directory gets a name in it, and no two the same") {
  const Desk desk;
  const Replay replay =
      desk.replay("[\"../a.swf\", \"" + (desk.home / "data/a.swf").string() + "\"]");
  REQUIRE(replay.files.size() == 2);
  CHECK(replay.files[0].second == "files/a.swf");
  CHECK(replay.assignments.back() == "workload.file=[\"files/a.swf\", \"data/a.swf\"]");
}

TEST_CASE("no copy takes the place of the other copies, nor that of exported tables") {
  const Desk desk;
  std::ofstream(desk.home / "files") << test::content_of((desk.home / "data/a.swf").string());
  std::ofstream(desk.home / "csv") << test::content_of((desk.home / "data/a.swf").string());
  const Replay replay = desk.replay("[\"files\", \"csv\"]");
  REQUIRE(replay.files.size() == 2);
  CHECK(replay.files[0].second == "files/files");
  CHECK(replay.files[1].second == "files/csv");
}

TEST_CASE("a copy stays within the run directory, however the scenario goes about naming it") {
  const Desk desk;
  const Replay replay = desk.replay("[\"data/../../a.swf\", \"data/a.swf\"]");
  REQUIRE(replay.files.size() == 2);
  CHECK(replay.files[0].second == "files/a.swf");
  CHECK(replay.files[1].second == "data/a.swf");
}

TEST_CASE("a file that is too large to be copied is named with what tells whether it changed") {
  const Desk desk;
  const Replay replay = desk.replay("\"data/a.swf\"", {.most = 10});
  CHECK(replay.files.empty());
  REQUIRE(replay.remarks.size() == 1);
  CHECK(replay.remarks[0].starts_with("not copied: " + (desk.home / "data/a.swf").string() +
                                      ", 43 bytes, FNV-1a "));
  CHECK(replay.scenario.find((desk.home / "data/a.swf").string()) != std::string::npos);
}

TEST_CASE("a file that a link outside of the scenario's folder leads to is not copied") {
  const Desk desk;
  fs::create_symlink("../../a.swf", desk.home / "data/out.swf");
  fs::create_directory_symlink("..", desk.home / "up");
  for (const std::string file : {"data/out.swf", "up/a.swf"}) {
    CAPTURE(file);
    const Replay replay = desk.replay('"' + file + '"');
    CHECK(replay.files.empty());
    REQUIRE(replay.remarks.size() == 1);
    CHECK(replay.remarks[0].starts_with("not copied: " + (desk.home / file).string() + ", 43 "));
    CHECK(replay.remarks[0].ends_with(": a link leads out of the scenario's folder to it"));
  }
}

TEST_CASE("of a scenario of somebody else only files in its folder are copied") {
  const Desk desk;
  constexpr Copying strict{.from = Copying::From::its_folder};
  CHECK(desk.replay("\"data/a.swf\"", strict).files.size() == 1);
  fs::create_hard_link(desk.home / "data" / "a.swf", desk.home / "data" / "private.swf");
  const Replay linked = desk.replay("\"data/private.swf\"", strict);
  CHECK(linked.files.empty());
  REQUIRE(linked.remarks.size() == 1);
  CHECK(linked.remarks[0].ends_with(": it has a further name (a hard link)"));
  CHECK(desk.replay("\"data/private.swf\"").files.size() == 1);
  for (const std::string& file :
       {std::string("../a.swf"), (desk.place.path() / "a.swf").string()}) {
    CAPTURE(file);
    const Replay replay = desk.replay('"' + file + '"', strict);
    CHECK(replay.files.empty());
    REQUIRE(replay.remarks.size() == 1);
    CHECK(replay.remarks[0].ends_with(": it is not in the scenario's folder"));
  }
}

TEST_CASE("an absolute path is judged in the form in which it is opened") {
  const Desk desk;
  fs::create_directories(desk.place.path() / "elsewhere/sub");
  fs::create_directory_symlink("../elsewhere/sub", desk.home / "link");
  const std::string file = (desk.home / "link/../data/a.swf").string();
  const Replay replay = desk.replay('"' + file + '"', {.from = Copying::From::its_folder});
  REQUIRE(replay.files.size() == 1);
  CHECK(replay.files[0].first == desk.home / "data/a.swf");
}

TEST_CASE("a link within the scenario's folder, or to it, keeps no file from being copied") {
  const Desk desk;
  fs::create_symlink("a.swf", desk.home / "data/in.swf");
  CHECK(desk.replay("\"data/in.swf\"").files.size() == 1);
  fs::create_directory_symlink("home", desk.place.path() / "alias");
  for (const fs::path home : {"alias", "alias/data/.."}) {
    const auto cells = scenarios::load_scenario(desk.place.path() / home / "mine.toml");
    CHECK(scenarios::replay_of(cells).files.size() == 1);
  }
}

TEST_CASE(
    "a run that is done again finds the files that it read, or says which has gone or changed") {
  const Desk desk;
  const Replay replay = desk.replay("\"data/a.swf\"", {.most = 10});
  const fs::path home = desk.place.path() / "run";
  fs::create_directories(home);
  std::ofstream(home / "scenario.toml") << replay.scenario;
  const auto record = [&](const scenarios::Versions& versions) {
    std::ofstream(home / "run.json") << record_with(versions, replay.read);
  };
  const auto said = [&] {
    try {
      return scenarios::check_same(home / "scenario.toml");
    } catch (const scenarios::UnreadableFile& error) {
      return "refused: " + std::string(error.what());
    }
  };
  record(scenarios::versions());
  CHECK(said().empty());
  const std::string trace = (desk.home / "data/a.swf").string();
  std::ofstream(trace, std::ios::app) << "; more\n";
  CHECK(said().starts_with("refused: " + trace + " has changed since the run in " + home.string() +
                           " read it (43 bytes, FNV-1a "));
  fs::remove(trace);
  CHECK(said().starts_with("refused: " + trace + ": the run in " + home.string() +
                           " read this file, and it is no longer there"));
  fs::create_symlink("/dev/null", trace);
  CHECK(said().starts_with("refused: " + trace + ": the run in " + home.string() +
                           " read this file, and it is no plain file now"));
}

TEST_CASE("programs of schedulers and of work are among what a run was done with") {
  const test::TemporaryDirectory place;
  const auto written = [&](const std::string& name) {
    const fs::path file = place.path() / name;
    std::ofstream(file) << "#!/bin/sh\n";
    fs::permissions(file, fs::perms::owner_all);
    return fs::canonical(file).string();
  };
  const std::vector<std::string> files{written("peer.sh"), written("work.sh"), written("told.sh")};
  std::ofstream(place.path() / "s.toml")
      << "engine.kind = \"threads\"\nworkload.work = \"child\"\nworkload.child_program = "
         "\"./work.sh\"\nworkload.child_arguments = \"-x told.sh\"\n[[scheduler]]\nuse = "
         "\"program\"\ncommand = \"sh peer.sh\"\n";
  const auto cells = scenarios::load_scenario(fs::canonical(place.path()) / "s.toml");
  std::vector<std::string> found;
  for (const scenarios::FileRead& file : scenarios::replay_of(cells).programs)
    found.push_back(file.name);
  CHECK(found == files);
}

TEST_CASE("a program that is found in PATH, and the folders where programs run, are sources") {
  const test::TemporaryDirectory place;
  const fs::path home = fs::canonical(place.path());
  for (const char* folder : {"bin", "here", "there"}) fs::create_directories(home / folder);
  std::ofstream(home / "bin" / "mine") << "#!/bin/sh\n";
  fs::permissions(home / "bin" / "mine", fs::perms::owner_all);
  std::ofstream(home / "s.toml")
      << "engine.kind = \"threads\"\nworkload.work = \"child\"\nworkload.child_program = "
         "\"mine\"\nworkload.child_directory = \"here\"\nworkload.child_arguments = \"../bin\"\n"
         "[[scheduler]]\nuse = \"program\"\ncommand = \"/usr/bin/env none sh "
         "../absent/a\"\ndirectory = "
         "\"there\"\n";
  const std::string before = std::getenv("PATH");
  setenv("PATH", ((home / "bin").string() + ":" + before).c_str(), 1);
  const auto cells = scenarios::load_scenario(home / "s.toml");
  std::vector<fs::path> sources = scenarios::replay_of(cells).sources;
  const auto of_schedulers = scenarios::files_of_schedulers(cells.front().scenario);
  setenv("PATH", before.c_str(), 1);
  for (fs::path& source : sources) source = source.lexically_normal();
  for (const char* source : {"bin/mine", "here", "there", "bin"}) {
    CAPTURE(source);
    CHECK(std::ranges::count(sources, home / source) == 1);
  }
  CHECK(std::ranges::count(of_schedulers, home / "there") == 1);
  CHECK(std::ranges::count(of_schedulers, home / "here") == 0);
  CHECK(std::ranges::count(of_schedulers, home / "there" / "../absent") == 1);
  for (const char* program : {"sh", "/usr/bin/env"})
    CHECK(std::ranges::count(of_schedulers, program) >= 1);
  CHECK(std::ranges::count(of_schedulers, "none") == 0);
  std::ofstream(home / "by-path.toml")
      << "engine.kind = \"threads\"\n[[scheduler]]\nuse = "
         "\"program\"\ncommand = \"./mine\"\ndirectory = \"bin\"\n";
  const auto by_path = scenarios::load_scenario(home / "by-path.toml");
  const auto judged = scenarios::files_of_schedulers(by_path.front().scenario);
  CHECK(std::ranges::count(judged, "./mine") == 0);  // that would be here
}

TEST_CASE(
    "words of a scheduler's command that are no places are nothing that others may exchange") {
  const test::TemporaryDirectory place;
  const fs::path home = fs::canonical(place.path());
  fs::create_directory(home / "own");
  fs::create_directory(home / "open");
  fs::permissions(home / "open", fs::perms(01777));
  const auto judged = [&](const std::string& word) {
    std::ofstream(home / "s.toml")
        << "engine.kind = \"threads\"\n[[scheduler]]\nuse = \"program\"\ncommand = \"sh " << word
        << "\"\ndirectory = \"own\"\n";
    const auto cells = scenarios::load_scenario(home / "s.toml");
    const auto files = scenarios::files_of_schedulers(cells.front().scenario);
    return std::ranges::count_if(
        files, [](const fs::path& file) { return core::is_exchangeable_program(file.string()); });
  };
  for (const std::string& word :
       {std::string("--ratio=1/2"), std::string("30/11/2026"), std::string("s/a/b/"),
        std::string("http://localhost:9/x"), std::string("/dev/null"), std::string("out/new.log"),
        "--model=" + (home / "open" / "model").string(), std::string(300, 'a') + "/b"}) {
    CAPTURE(word);
    CHECK(judged(word) == 0);
  }
  for (const char* const word : {"../open/model", "../open/absent/model"}) {
    CAPTURE(word);
    CHECK(judged(word) == 1);
  }
  fs::create_symlink(home / "open" / "model", home / "own" / "later");
  CHECK(judged("later") == 1);
  fs::create_symlink("/bin/sh", home / "own" / "sh");
  const std::string before = std::getenv("PATH");
  setenv("PATH", ((home / "open").string() + ":/usr/bin:/bin").c_str(), 1);
  const auto of_first_word = judged("word");
  setenv("PATH", before.c_str(), 1);
  CHECK(of_first_word >= 1);  // what PATH leads to, whatever has the name here
  fs::create_symlink("/dev/null", home / "own" / "nothing");
  CHECK(judged("./nothing") == 0);
  fs::create_symlink("/dev/null", home / "open" / "nothing");
  CHECK(judged("../open/nothing") == 1);  // another user could have put it there
  if (geteuid() != 0) return;             // only root may give a link to another user
  fs::create_symlink("/dev/null", home / "open" / "device");
  fs::create_symlink("/dev", home / "open" / "devices");
  for (const char* const link : {"device", "devices"})
    REQUIRE(lchown((home / "open" / link).c_str(), 65534, 65534) == 0);
  for (const char* const word : {"../open/device", "../open/devices/null"}) {
    CAPTURE(word);
    CHECK(judged(word) == 1);
  }
}

TEST_CASE("a named pipe among the words of a command is a source") {
  const test::TemporaryDirectory place;
  const fs::path home = fs::canonical(place.path());
  REQUIRE(mkfifo((home / "told").c_str(), 0600) == 0);
  std::ofstream(home / "s.toml")
      << "engine.kind = \"threads\"\nworkload.work = \"child\"\nworkload.child_program = \"cat\"\n"
         "workload.child_arguments = \"told\"\n[[scheduler]]\nuse = \"organic-grid\"\n";
  const fs::path before = fs::current_path();
  fs::current_path(home);
  const auto sources = scenarios::replay_of(scenarios::load_scenario(home / "s.toml")).sources;
  fs::current_path(before);
  CHECK(std::ranges::count(sources, home / "told") == 1);
}

TEST_CASE("the folder and the programs of a list of jobs are sources of its run") {
  const test::TemporaryDirectory place;
  const fs::path home = fs::canonical(place.path());
  fs::create_directories(home / "jobs");
  std::ofstream(home / "jobs" / "tool") << "#!/bin/sh\n";
  fs::permissions(home / "jobs" / "tool", fs::perms::owner_all);
  std::ofstream(home / "list.txt") << "0 1 1\n";
  std::ofstream(home / "s.toml")
      << "engine.kind = \"virtual\"\n[workload]\nkind = \"job-list\"\nfile = \"list.txt\"\n"
         "folder = \"jobs\"\nprograms = \"./tool\"\n[[scheduler]]\nuse = \"round-robin\"\n";
  std::vector<fs::path> sources =
      scenarios::replay_of(scenarios::load_scenario(home / "s.toml")).sources;
  for (fs::path& source : sources) source = source.lexically_normal();
  CHECK(std::ranges::count(sources, home / "jobs") == 1);
  CHECK(std::ranges::count(sources, home / "jobs" / "tool") >= 1);
}

TEST_CASE("of a file of a record a gibibyte is read, and of all of them sixteen") {
  const test::TemporaryDirectory place;
  const fs::path file = place.path() / "sparse";
  std::ofstream(file) << "";
  fs::resize_file(file, std::uintmax_t{1} << 40U);  // takes no place, but hours to read
  std::ofstream(place.path() / "scenario.toml") << "";
  const auto said = [&](std::size_t files) {
    const scenarios::FileRead named{file.string(), std::uintmax_t{1} << 40U, "another"};
    std::ofstream(place.path() / "run.json")
        << record_with({}, std::vector<scenarios::FileRead>(files, named));
    try {
      return scenarios::check_same(place.path() / "scenario.toml");
    } catch (const scenarios::UnreadableFile& error) {
      return std::string(error.what());
    }
  };
  CHECK(said(1).find("has changed since the run") != std::string::npos);
  CHECK(said(17).find("it names more than 16 GiB of files") != std::string::npos);
}

TEST_CASE("a copy in the run directory that has been changed is named, too") {
  const Desk desk;
  const Replay replay = desk.replay("\"data/a.swf\"");
  REQUIRE(replay.read.size() == 1);
  CHECK(replay.read[0].name == "files/a.swf");
  fs::create_directories(desk.home / "files");
  std::ofstream(desk.home / "scenario.toml") << replay.scenario;
  std::ofstream(desk.home / "files/a.swf") << "something else\n";
  std::ofstream(desk.home / "run.json") << record_with({}, replay.read);
  CHECK_THROWS_AS(static_cast<void>(scenarios::check_same(desk.home / "scenario.toml")),
                  scenarios::UnreadableFile);
}

TEST_CASE("a replay by another program says so, and any other scenario says nothing") {
  const Desk desk;
  scenarios::Versions other = scenarios::versions();
  other.back().second = "0123456789abcdef";
  std::ofstream(desk.home / "run.json") << record_with(other, {});
  CHECK(scenarios::check_same(desk.home / "mine.toml").empty());
  const std::string said = scenarios::check_same(desk.home / "scenario.toml");
  CHECK(said.find(" (FNV-1a 0123456789abcdef), and this is ") != std::string::npos);
  CHECK(said.find('\n') == std::string::npos);
  CHECK(scenarios::check_same(desk.place.path() / "scenario.toml").empty());
}

}  // namespace rhizome::replay_test
