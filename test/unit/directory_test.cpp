#include "scenarios/store/directory.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "scenarios/store/database.hpp"
#include "scenarios/store/run_list.hpp"
#include "scenarios/text/input_error.hpp"
#include "scenarios/text/json.hpp"
#include "test/support/outcomes.hpp"
#include "test/support/short_files.hpp"
#include "test/support/temporary_directory.hpp"
#include "test/support/temporary_file.hpp"

namespace rhizome::scenarios::directory_test {

using namespace std::chrono_literals;
using test::content_of;
using test::TemporaryDirectory;

namespace fs = std::filesystem;

namespace {

// Half past one in the afternoon of the second of January 2026.
constexpr std::chrono::sys_seconds afternoon{
    std::chrono::sys_days{std::chrono::January / 2 / 2026} + 13h + 30min};

RunDirectory make(const fs::path& root, const std::string& name = "og-vs-atc") {
  return RunDirectory::create({.root = root,
                               .name = name,
                               .scenario = "[peers]\ncount = 3\n",
                               .replay = "rhizome run scenario.toml",
                               .now = afternoon,
                               .patience = 10ms});
}

std::string text_in(const fs::path& directory, const std::string& file) {
  return content_of((directory / file).string());
}

}  // namespace

TEST_CASE("files that grow beyond what a run keeps are not copied") {
  const TemporaryDirectory root;
  std::ofstream(root.path() / "input") << std::string(1000, 'x');
  const std::pair<fs::path, fs::path> file(root.path() / "input", "files/input");
  DirectoryOptions options{.root = root.path() / "runs",
                           .name = "r",
                           .scenario = "",
                           .replay = "",
                           .files = {file, {file.first, "files/again"}},
                           .most_copied = 1999,
                           .now = afternoon,
                           .patience = 10ms};
  CHECK_THROWS_AS(static_cast<void>(RunDirectory::create(options)), CannotWrite);
  options.most_copied = 2000;
  CHECK_NOTHROW(static_cast<void>(RunDirectory::create(options)));
}

TEST_CASE(
    "a run directory that could not be finished is listed as broken off, and can be removed") {
  const TemporaryDirectory root;
  std::ofstream(root.path() / "input") << "more than nothing";
  CHECK_THROWS_AS(
      static_cast<void>(RunDirectory::create({.root = root.path() / "runs",
                                              .name = "r",
                                              .scenario = "",
                                              .replay = "",
                                              .files = {{root.path() / "input", "files/input"}},
                                              .most_copied = 0,
                                              .now = afternoon})),
      CannotWrite);
  const std::vector<ListedRun> runs = list_runs(root.path() / "runs");
  REQUIRE(runs.size() == 1);
  CHECK(runs[0].broken_off());
  CHECK(remove_runs(root.path() / "runs", runs).gone.size() == 1);
  CHECK(fs::is_empty(root.path() / "runs"));
}

TEST_CASE("no run directory is left where nothing can be written") {
  const TemporaryDirectory root;
  bool refused = false;
  {
    const test::ShortFiles full(0);
    try {
      static_cast<void>(make(root.path() / "runs"));
    } catch (const CannotWrite&) {
      refused = true;
    }
  }
  CHECK(refused);
  CHECK(fs::is_empty(root.path() / "runs"));
}

TEST_CASE("a run directory is named after scenario and hour, and holds all that a replay needs") {
  const TemporaryDirectory root;
  const RunDirectory run = make(root.path() / "runs");
  CHECK(run.path().filename() == "og-vs-atc-20260102T133000Z-1");
  CHECK(text_in(run.path(), "scenario.toml") == "[peers]\ncount = 3\n");
  CHECK(text_in(run.path(), "replay") ==
        "#!/bin/sh\nCDPATH= cd -- \"$(dirname -- \"$0\")\" && rhizome run scenario.toml \"$@\"\n");
  CHECK((fs::status(run.path() / "replay").permissions() & fs::perms::owner_exec) !=
        fs::perms::none);
  CHECK(fs::exists(run.path() / "results.sqlite"));
  CHECK(fs::exists(run.path() / "run.json"));
}

TEST_CASE("runs of the same second get directories of their own, and latest is the newest") {
  const TemporaryDirectory root;
  std::set<fs::path> paths;
  for (int i = 0; i < 3; ++i) {
    const RunDirectory run = make(root.path());
    CHECK(paths.insert(run.path()).second);
    CHECK(fs::canonical(root.path() / "latest") == fs::canonical(run.path()));
  }
  CHECK(fs::is_symlink(root.path() / "latest"));
  CHECK_FALSE(fs::read_symlink(root.path() / "latest").is_absolute());
}

TEST_CASE("a link that another user made is not taken for the latest run") {
  const TemporaryDirectory root;
  RunDirectory run = make(root.path());
  run.add(test::busy_outcome());
  CHECK(open_run(root.path()).name() == run.path().filename());
  if (geteuid() != 0) return;
  REQUIRE(lchown((root.path() / "latest").c_str(), 65534, 65534) == 0);
  CHECK_THROWS_AS(static_cast<void>(open_run(root.path())), UnreadableFile);
  CHECK_THROWS_AS(static_cast<void>(open_run(root.path() / "latest")), UnreadableFile);
  CHECK_THROWS_AS(static_cast<void>(open_run(root.path() / "latest" / "")), UnreadableFile);
  fs::remove(root.path() / "latest");
  fs::rename(run.path(), root.path() / "latest");
  CHECK(open_run(root.path() / "latest").name() == "latest");
  REQUIRE(chown((root.path() / "latest").c_str(), 65534, 65534) == 0);
  CHECK_THROWS_AS(static_cast<void>(open_run(root.path() / "latest")), UnreadableFile);
}

TEST_CASE("a name that no file may have is changed, and stays inside of the root") {
  const TemporaryDirectory root;
  CHECK(make(root.path(), "../a b/ü").path().filename() == "run..-a-b----20260102T133000Z-1");
  CHECK(make(root.path(), "").path().filename() == "run-20260102T133000Z-1");
  CHECK(make(root.path(), std::string(500, 'x')).path().filename().string().size() < 150);
}

TEST_CASE("outcomes, wall times, remarks and the verdict are kept as they come") {
  const TemporaryDirectory root;
  RunDirectory run = make(root.path());
  Outcome outcome = test::busy_outcome();
  outcome.wall = 1500ms;
  outcome.repeated = 2;
  outcome.steered.operator_commands = 3;
  outcome.steered.again = (run.path() / "steered-2.toml").string();
  run.add(outcome);
  const StoredRun early = open_run(run.path());
  CHECK(early.record.verdict.empty());
  REQUIRE(early.store.size() == 1);
  CHECK(early.read(0) == outcome);

  run.record().remarks.emplace_back("a remark");
  run.record().verdict = "holds";
  run.write_record();
  const StoredRun late = open_run(root.path() / "latest");
  CHECK(late.name() == "og-vs-atc-20260102T133000Z-1");
  CHECK(late.record.name == "og-vs-atc");
  CHECK(late.record.started == "2026-01-02T13:30:00Z");
  CHECK(late.record.verdict == "holds");
  CHECK(late.record.remarks == std::vector<std::string>{"a remark"});
  REQUIRE(late.record.walls.size() == 1);
  CHECK(late.record.walls[0].label == "dealer");
  CHECK(late.record.walls[0].seconds == 1.5);
  CHECK(late.record.walls[0].repeated == 2);
  CHECK(late.record.walls[0].steered == 3);
  CHECK(late.record.walls[0].steered_as == "steered-2.toml");  // wherever the directory goes
  CHECK_FALSE(fs::exists(run.path() / ".run.json.rhizome-part"));
}

TEST_CASE("scenarios of steered runs stand beside that of the experiment, one for each") {
  const TemporaryDirectory root;
  RunDirectory run = make(root.path());
  CHECK(run.add_steered("name = \"one\"") == (run.path() / "steered.toml").string());
  CHECK(run.add_steered("name = \"two\"") == (run.path() / "steered-2.toml").string());
  CHECK(fs::file_size(run.path() / "steered.toml") == 12);
  CHECK(fs::file_size(run.path() / "steered-2.toml") == 12);
}

TEST_CASE("outcomes for a locked store are written beside it, and merged in their order") {
  const TemporaryDirectory root;
  RunDirectory run = make(root.path());
  const auto outcome = [](std::uint32_t repetition) {
    Outcome made = test::busy_outcome();
    made.identity.repetition = repetition;
    return made;
  };
  run.add(outcome(0));
  {
    Database other(run.path() / "results.sqlite", Database::Mode::append);
    Transaction lock(other);
    other.execute("DELETE FROM runs");
    run.add(outcome(1));
    run.add(outcome(2));
    CHECK(fs::exists(run.path() / "waiting.sqlite"));
    CHECK(run.settle().has_value());
    CHECK_THROWS_AS((void)open_run(run.path()), UnreadableFile);  // the run is under way
  }
  run.add(outcome(3));
  SUBCASE("by the run itself, at its end") { CHECK_FALSE(run.settle().has_value()); }
  SUBCASE("by its reader, once the run is over") {
    run.record().verdict = "holds";
    run.write_record();
  }
  const StoredRun stored = open_run(run.path());
  CHECK_FALSE(fs::exists(run.path() / "waiting.sqlite"));
  REQUIRE(stored.store.size() == 4);
  for (std::uint32_t i = 0; i < 4; ++i) CHECK(stored.store.read(i).identity.repetition == i);
}

TEST_CASE("outcomes that were merged by a reader that was then killed are not merged again") {
  const TemporaryDirectory root;
  RunDirectory run = make(root.path());
  run.add(test::busy_outcome());
  const fs::path waiting = run.path() / "waiting.sqlite";
  const auto wait_with = [&](std::uint32_t repetition) {
    Outcome outcome = test::busy_outcome();
    outcome.identity.repetition = repetition;
    Store::create(waiting).add(outcome);
  };
  run.record().verdict = "holds";
  run.write_record();
  for (int reader = 0; reader < 2; ++reader) {
    wait_with(1);
    CHECK(open_run(run.path()).store.size() == 2);
    CHECK_FALSE(fs::exists(waiting));
  }
  wait_with(2);
  CHECK(open_run(run.path()).store.size() == 3);
}

TEST_CASE("outcomes that wait when a run is killed are merged by its next reader") {
  const TemporaryDirectory root;
  fs::path path;
  {
    RunDirectory run = make(root.path());
    path = run.path();
    run.add(test::busy_outcome());
    Outcome outcome = test::busy_outcome();
    outcome.identity.repetition = 1;
    Store::create(path / "waiting.sqlite").add(outcome);
    CHECK_THROWS_AS((void)open_run(path), UnreadableFile);  // it is under way
  }
  CHECK(open_run(path).record.verdict.empty());
  CHECK(open_run(path).store.size() == 2);
}

TEST_CASE("a run is read where the store of waiting outcomes was still blank when it was killed") {
  const TemporaryDirectory root;
  RunDirectory run = make(root.path());
  run.add(test::busy_outcome());
  run.record().verdict = "holds";
  run.write_record();
  const fs::path waiting = run.path() / "waiting.sqlite";
  std::ofstream(waiting).close();
  CHECK(open_run(run.path()).store.size() == 1);
  CHECK_FALSE(fs::exists(waiting));
  std::ofstream(waiting) << "no store";
  CHECK_THROWS_AS((void)open_run(run.path()), UnreadableFile);
}

TEST_CASE("others may read a run, and cannot lock where its outcomes wait") {
  const TemporaryDirectory root;
  const RunDirectory run = make(root.path());
  const auto perms = [&](const char* name) { return fs::status(run.path() / name).permissions(); };
  static_cast<void>(Store::create(run.path() / "waiting.sqlite"));
  constexpr fs::perms own = fs::perms::owner_read | fs::perms::owner_write;
  CHECK(perms("waiting.sqlite") == own);
  constexpr fs::perms readable = own | fs::perms::group_read | fs::perms::others_read;
  CHECK(perms("results.sqlite") == (fs::status(run.path()).permissions() & readable));
}

TEST_CASE("a store is blank until it has all of its tables") {
  const TemporaryDirectory root;
  static_cast<void>(Store::create(root.path() / "store"));
  const std::string bytes = content_of((root.path() / "store").string());
  CHECK(bytes.substr(24, 4) == std::string("\0\0\0\1", 4));  // the number of commits
}

TEST_CASE("what the record tells of a run belongs to it, though one before it is not told") {
  const TemporaryDirectory root;
  RunDirectory run = make(root.path());
  for (std::uint32_t i = 0; i < 3; ++i) {
    Outcome outcome = test::busy_outcome();
    outcome.identity.repetition = i;
    outcome.steered.operator_commands = i == 2 ? 7 : 0;
    outcome.wall = i * 1s;
    run.add(outcome);
  }
  run.record().walls.erase(run.record().walls.begin() +
                           1);  // it was killed before it told this one
  run.write_record();
  const StoredRun stored = open_run(run.path());
  REQUIRE(stored.record.walls.size() == 3);
  CHECK(stored.read(0).wall == 0s);
  CHECK(stored.read(1).steered.operator_commands == 0);
  CHECK(stored.read(2).steered.operator_commands == 7);
  CHECK(stored.read(2).wall == 2s);
}

TEST_CASE("the record names versions and host, and its schema") {
  const TemporaryDirectory root;
  const RunDirectory run = make(root.path());
  const auto json = parse_json(text_in(run.path(), "run.json"));
  REQUIRE(json.has_value());
  CHECK(json->at("schema") == "rhizome.run/2");
  CHECK(json->at("host").at("cores").get<unsigned>() >= 1);
  CHECK(json->at("host").at("memory_bytes").get<std::uint64_t>() > 1'000'000);
  CHECK_FALSE(json->at("host").at("kernel").get<std::string>().empty());
  CHECK(json->at("versions").contains("rhizome"));
}

TEST_CASE("the record tells the load of monitors, where any could attach") {
  const TemporaryDirectory root;
  RunDirectory run = make(root.path());
  CHECK_FALSE(record_of(json_of(run.record()))->watched);
  run.record().watched = {.monitors = 2, .frames = 30, .processor_seconds = 0.5};
  const auto watched = record_of(json_of(run.record()))->watched;
  REQUIRE(watched.has_value());
  CHECK(watched->monitors == 2);
  CHECK(watched->frames == 30);
  CHECK(watched->processor_seconds == 0.5);
}

TEST_CASE("repetitions count from 1 in the record, and one of 0 is none") {
  const TemporaryDirectory root;
  RunDirectory run = make(root.path());
  run.add(test::busy_outcome());
  const std::string text = json_of(run.record());
  CHECK(parse_json(text)->at("runs").items()[0].at("repetition").get<int>() ==
        static_cast<int>(record_of(text)->walls.at(0).repetition) + 1);
  const std::string counted = "\"repetition\": ";
  const std::size_t at = text.find(counted);
  REQUIRE(at != std::string::npos);
  std::string damaged = text;
  damaged.replace(at + counted.size(), 1, "0");
  CHECK_FALSE(record_of(damaged).has_value());
}

TEST_CASE("a results file alone can be opened, and a damaged record does no harm") {
  const TemporaryDirectory root;
  RunDirectory run = make(root.path());
  run.add(test::busy_outcome());
  std::ofstream(run.path() / "run.json") << "{\"schema\": \"rhizome.run/2\", \"name\": 3}";
  const StoredRun stored = open_run(run.path() / "results.sqlite");
  CHECK(stored.record.name.empty());
  CHECK(stored.store.size() == 1);
  CHECK(stored.path == fs::canonical(run.path()));
}

TEST_CASE("a directory that is no run directory is refused in a sentence") {
  const TemporaryDirectory root;
  CHECK_THROWS_WITH_AS(
      (void)open_run(root.path()),
      (root.path().string() + " is no run directory: it has no results.sqlite").c_str(),
      UnreadableFile);
  CHECK_THROWS_AS((void)open_run(root.path() / "nothing"), UnreadableFile);
}

TEST_CASE("a root that cannot be made is refused, and so is one that is a file") {
  const test::TemporaryFile file("in the way");
  CHECK_THROWS_AS((void)make(file.name()), CannotWrite);
  CHECK_THROWS_AS((void)make(fs::path(file.name()) / "runs"), CannotWrite);
}

TEST_CASE("a directory called latest is left alone, and that is remarked") {
  const TemporaryDirectory root;
  fs::create_directories(root.path() / "latest" / "mine");
  RunDirectory run = make(root.path());
  CHECK(fs::is_directory(root.path() / "latest" / "mine"));
  CHECK(run.record().remarks.size() == 1);
}

TEST_CASE("a file called latest is left alone, and that is remarked") {
  const TemporaryDirectory root;
  std::ofstream(root.path() / "latest") << "mine";
  RunDirectory run = make(root.path());
  CHECK(fs::file_size(root.path() / "latest") == 4);
  CHECK(run.record().remarks.size() == 1);
}

TEST_CASE("no run directory looks like an option") {
  const TemporaryDirectory root;
  const RunDirectory run = make(root.path(), "-rf");
  CHECK(run.path().filename().string().starts_with("run-rf-"));
}

}  // namespace rhizome::scenarios::directory_test
