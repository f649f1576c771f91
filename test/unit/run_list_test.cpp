// Stored runs: the contents of a folder, and the runs that a rule removes.
#include "scenarios/store/run_list.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "scenarios/store/directory.hpp"
#include "scenarios/text/input_error.hpp"
#include "scenarios/text/whole_file.hpp"
#include "test/support/temporary_directory.hpp"

namespace rhizome::run_list_test {

using namespace scenarios;
using namespace std::chrono_literals;

namespace {

const std::chrono::sys_seconds noon = std::chrono::sys_days(std::chrono::days(20'000)) + 12h;

// A directory that began, and ended, so many days before noon.
std::filesystem::path make(const std::filesystem::path& root, int days,
                           const std::string& verdict) {
  RunDirectory made = RunDirectory::create({.root = root,
                                            .name = "day" + std::to_string(days),
                                            .scenario = "",
                                            .replay = "",
                                            .now = noon - days * 24h});
  RunRecord record = made.record();
  record.ended = record.started;
  record.verdict = verdict;
  write_whole(made.path() / record_name, json_of(record));
  return made.path();
}

std::vector<std::string> names(const std::vector<ListedRun>& runs) {
  std::vector<std::string> list;
  for (const ListedRun& run : runs) list.push_back(run.name);
  return list;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("runs are listed from the newest on, and nothing else is one") {
  const test::TemporaryDirectory folder;
  make(folder.path(), 3, "holds");
  make(folder.path(), 1, "interrupted");
  make(folder.path(), 2, "");
  std::filesystem::create_directory(folder.path() / "mine");
  write_whole(folder.path() / "notes.txt", "notes");
  const std::vector<ListedRun> runs = list_runs(folder.path());
  REQUIRE(names(runs) == Names{"day1", "day2", "day3"});
  CHECK(runs[0].broken_off());
  CHECK(runs[1].broken_off());
  CHECK_FALSE(runs[2].broken_off());
  CHECK(runs[2].bytes > 0);
  CHECK(list_runs(folder.path() / "nowhere").empty());
}

TEST_CASE("runs go by count, by age, or where both let them go") {
  const test::TemporaryDirectory folder;
  for (const int days : {1, 2, 3, 4}) make(folder.path(), days, "holds");
  const std::vector<ListedRun> runs = list_runs(folder.path());
  CHECK(names(let_go(runs, {.keep = 3}, noon)) == Names{"day4"});
  CHECK(names(let_go(runs, {.keep = 0}, noon)).size() == 4);
  CHECK(names(let_go(runs, {.older = 60h}, noon)) == Names{"day3", "day4"});
  CHECK(names(let_go(runs, {.keep = 3, .older = 60h}, noon)) == Names{"day4"});
  CHECK(names(let_go(runs, {.keep = 1, .older = 60h}, noon)) == Names{"day3", "day4"});
}

TEST_CASE("a run that somebody adds to does not go") {
  const test::TemporaryDirectory folder;
  const std::filesystem::path run = make(folder.path(), 1, "");
  {
    const AddingLock lock(run);
    CHECK_THROWS_AS(AddingLock{run}, UnreadableFile);
    struct stat about {};
    REQUIRE(stat((run / ".lock").c_str(), &about) == 0);
    CHECK((about.st_mode & 0077U) == 0);  // no other user can take the lock
    CHECK(is_added_to(run));
    REQUIRE(list_runs(folder.path()).front().under_way);
    CHECK(let_go(list_runs(folder.path()), {.keep = 0}, noon).empty());
  }
  CHECK_FALSE(is_added_to(run));
  CHECK(let_go(list_runs(folder.path()), {.keep = 0}, noon).size() == 1);
}

TEST_CASE("runs of others and from the future do not count as the newest") {
  const test::TemporaryDirectory folder;
  const std::filesystem::path theirs = make(folder.path(), 1, "holds");
  const std::filesystem::path received = make(folder.path(), -365 * 7000, "holds");
  make(folder.path(), 2, "holds");
  CHECK(list_runs(folder.path()).back().path == received);
  CHECK(let_go(list_runs(folder.path()), {.keep = 2}, noon).front().path == received);
  if (geteuid() != 0) return;
  REQUIRE(chown(theirs.c_str(), 65534, 65534) == 0);
  CHECK(let_go(list_runs(folder.path()), {.keep = 2}, noon).empty());
  CHECK(let_go(list_runs(folder.path()), {.keep = 0}, noon).size() == 2);
  (void)remove_runs(folder.path(), {list_runs(folder.path()).back()});
  (void)remove_runs(folder.path(), let_go(list_runs(folder.path()), {.keep = 0}, noon));
  CHECK(std::filesystem::exists(theirs));
  CHECK_FALSE(std::filesystem::exists(std::filesystem::symlink_status(folder.path() / "latest")));
}

TEST_CASE("after the latest run was removed, latest is the newest that is left") {
  const test::TemporaryDirectory folder;
  const std::filesystem::path older = make(folder.path(), 2, "holds");
  const std::filesystem::path newer = make(folder.path(), 1, "holds");
  const std::filesystem::path latest = folder.path() / "latest";
  (void)remove_runs(folder.path(), {list_runs(folder.path()).front()});
  CHECK_FALSE(std::filesystem::exists(newer));
  CHECK(std::filesystem::equivalent(latest, older));
  (void)remove_runs(folder.path(), list_runs(folder.path()));
  CHECK_FALSE(std::filesystem::exists(std::filesystem::symlink_status(latest)));
}

TEST_CASE("runs behind a link of another user stay") {
  if (geteuid() != 0) return;
  const test::TemporaryDirectory folder;
  const std::filesystem::path root = folder.path() / "runs";
  const std::filesystem::path link = folder.path() / "link";
  const std::filesystem::path made = make(root, 1, "holds");
  REQUIRE(chmod(folder.path().c_str(), 01777) == 0);
  std::filesystem::create_directory_symlink(root, link);
  REQUIRE(lchown(link.c_str(), 1234, 1234) == 0);
  CHECK_THROWS_AS((void)remove_runs(link, list_runs(link)), CannotWrite);
  CHECK(std::filesystem::exists(made));
}

TEST_CASE("a run that is resumed before it is removed stays") {
  const test::TemporaryDirectory folder;
  const std::filesystem::path first = make(folder.path(), 1, "");
  const std::filesystem::path second = make(folder.path(), 2, "holds");
  const std::vector<ListedRun> chosen = list_runs(folder.path());
  const AddingLock resumed(first);
  const std::vector<ListedRun> gone = remove_runs(folder.path(), chosen).gone;
  REQUIRE(gone.size() == 1);
  CHECK(gone.front().path == second);
  CHECK(std::filesystem::exists(first / "run.json"));
  CHECK_FALSE(std::filesystem::exists(second));
}

TEST_CASE("a run that cannot be removed keeps no other") {
  const test::TemporaryDirectory folder;
  const std::filesystem::path second = make(folder.path(), 2, "holds");
  // The name under which it would go is longer than names may be.
  const std::filesystem::path longest = folder.path() / std::string(250, 'x');
  std::filesystem::rename(make(folder.path(), 1, "holds"), longest);
  const Removal removal = remove_runs(folder.path(), list_runs(folder.path()));
  REQUIRE(removal.gone.size() == 1);
  CHECK(removal.gone.front().path == second);
  REQUIRE(removal.failed.size() == 1);
  CHECK(removal.failed.front().starts_with(longest.string() + " cannot be removed: "));
  CHECK(std::filesystem::exists(longest / "run.json"));
}

TEST_CASE("a directory that took the name of a run since it was listed stays") {
  const test::TemporaryDirectory folder;
  const std::filesystem::path old = make(folder.path(), 9, "holds");
  const std::vector<ListedRun> listed = list_runs(folder.path());
  std::filesystem::rename(old, folder.path() / "elsewhere");
  std::filesystem::create_directory(old);
  write_whole(old / "thesis.txt", "the only copy");
  CHECK(remove_runs(folder.path(), listed).gone.empty());
  CHECK(std::filesystem::exists(old / "thesis.txt"));
}

TEST_CASE("somebody's directory of the name under which a run goes does not keep it") {
  const test::TemporaryDirectory folder;
  const std::filesystem::path old = make(folder.path(), 9, "holds");
  std::filesystem::create_directories(old.string() + ".removed/x");
  CHECK(remove_runs(folder.path(), list_runs(folder.path())).gone.size() == 1);
  CHECK_FALSE(std::filesystem::exists(old));
  CHECK(std::filesystem::exists(old.string() + ".removed/x"));
}

TEST_CASE("long texts of records are cut, and those of others are read up to a bound") {
  const test::TemporaryDirectory folder;
  RunRecord record;
  record.name = std::string(5000, 'n');
  write_whole(make(folder.path(), 9, "holds") / record_name, json_of(record));
  CHECK(list_runs(folder.path()).at(0).name.size() == 1000);
  if (geteuid() != 0) return;
  for (int i = 0; i < 70; ++i) {
    const std::filesystem::path theirs = make(folder.path(), 1, "holds");
    record.name = std::string(1'000'000, 'n');
    write_whole(theirs / record_name, json_of(record));
    REQUIRE(chown(theirs.c_str(), 65534, 65534) == 0);
  }
  CHECK(list_runs(folder.path()).size() == 1 + 67);
  CHECK(list_runs(folder.path(), Whose::own).size() == 1);
}

}  // namespace rhizome::run_list_test
