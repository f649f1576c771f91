// Who may enter a run directory, and read and write what it keeps.
#include <doctest/doctest.h>
#include <sys/stat.h>
#include <sys/xattr.h>

#include <filesystem>
#include <fstream>

#include "scenarios/store/directory.hpp"
#include "test/support/access_list.hpp"
#include "test/support/temporary_directory.hpp"
#include "test/support/temporary_file.hpp"

namespace rhizome::scenarios::run_rights_test {

using namespace std::chrono_literals;
using test::content_of;
using test::TemporaryDirectory;

namespace fs = std::filesystem;

namespace {

constexpr std::chrono::sys_seconds afternoon{
    std::chrono::sys_days{std::chrono::January / 2 / 2026} + 13h + 30min};

// The rights of a copy that a run keeps of a file with these.
fs::perms kept_rights(fs::perms rights, fs::perms folder = fs::perms(0755)) {
  const TemporaryDirectory root;
  fs::permissions(root.path(), folder);
  std::ofstream(root.path() / "input") << "words";
  fs::permissions(root.path() / "input", rights);
  const RunDirectory run = RunDirectory::create({.root = root.path() / "runs",
                                                 .name = "r",
                                                 .scenario = "",
                                                 .replay = "rhizome run scenario.toml",
                                                 .files = {{root.path() / "input", "files/input"}},
                                                 .now = afternoon,
                                                 .patience = 10ms});
  CHECK(content_of((run.path() / "files" / "input").string()) == "words");
  return fs::status(run.path() / "files" / "input").permissions();
}

RunDirectory run_from(const TemporaryDirectory& root, const fs::path& source) {
  return RunDirectory::create({.root = root.path() / "runs",
                               .name = "r",
                               .scenario = "",
                               .replay = "",
                               .sources = {source},
                               .now = afternoon,
                               .patience = 10ms});
}

// Who may enter the directory of a run made from a file with these rights, in a folder with those.
fs::perms entry_rights(fs::perms of_file, fs::perms of_folder, bool link = false) {
  const TemporaryDirectory root;
  const fs::path source = root.path() / "folder" / "s.toml";
  fs::permissions(root.path(), fs::perms(0755));
  fs::create_directory(root.path() / "folder");
  std::ofstream(source) << "words";
  fs::create_symlink(source, root.path() / "link");
  fs::permissions(source, of_file);
  fs::permissions(root.path() / "folder", of_folder);
  const mode_t before = umask(0);
  RunDirectory run =
      RunDirectory::create({.root = root.path() / "runs",
                            .name = "r",
                            .scenario = "",
                            .replay = "",
                            .sources = {root.path() / "gone", link ? root.path() / "link" : source},
                            .now = afternoon,
                            .patience = 10ms});
  umask(before);
  const fs::perms rights = fs::status(run.path()).permissions();
  CHECK(run.record().remarks.empty() == (rights == fs::perms(0755)));
  return rights;
}

}  // namespace

TEST_CASE(
    "the copy of a file in a run directory is closed to whom the file is, and is no program") {
  using fs::perms;
  const mode_t before = umask(0);
  const perms given = kept_rights(perms::all | perms::set_uid | perms::set_gid);
  umask(before);
  CHECK((given & (perms::set_uid | perms::set_gid | perms::others_write)) == perms::none);
  CHECK((given & perms::owner_exec) == perms::none);  // the script `replay` works beside it
  CHECK((kept_rights(perms(0666)) & (perms::others_write | perms::owner_exec)) == perms::none);
  CHECK(kept_rights(perms(0600)) == perms(0600));
  CHECK(kept_rights(perms(0644)) == perms(0644));
  CHECK(kept_rights(perms(0644), perms(0700)) == perms(0600));  // nobody else can enter its folder
  CHECK((kept_rights(perms(0640)) & perms::others_all) == perms::none);
}

TEST_CASE("only users who can read the sources of a run can enter its directory") {
  using fs::perms;
  CHECK(entry_rights(perms(0644), perms(0755)) == perms(0755));
  CHECK(entry_rights(perms(0604), perms(0755)) == perms(0700));
  CHECK(entry_rights(perms(0640), perms(0755)) == perms(0750));
  CHECK(entry_rights(perms(0600), perms(0755)) == perms(0700));
  CHECK(entry_rights(perms(0644), perms(0711)) == perms(0755));
  CHECK(entry_rights(perms(0644), perms(0744)) == perms(0700));
  CHECK(entry_rights(perms(0644), perms(0710)) == perms(0750));
  CHECK(entry_rights(perms(0644), perms(0700), true) == perms(0700));
}

TEST_CASE("only its user enters the directory of a run whose sources come through a pipe") {
  const TemporaryDirectory root;
  fs::permissions(root.path(), fs::perms(0755));
  const RunDirectory run = run_from(root, "-");
  CHECK(fs::status(run.path()).permissions() == fs::perms(0700));
  REQUIRE(mkfifo((root.path() / "pipe").c_str(), 0644) == 0);
  const RunDirectory named = run_from(root, root.path() / "pipe");
  CHECK(fs::status(named.path()).permissions() == fs::perms(0700));
}

TEST_CASE("an access list of the folder lets nobody into a closed run directory") {
  const TemporaryDirectory root;
  const auto source = root.path() / "s.toml";
  std::ofstream(source) << "words";
  fs::create_directory(root.path() / "runs");
  const std::string list = test::access_list();
  if (setxattr((root.path() / "runs").c_str(), "system.posix_acl_default", list.data(), list.size(),
               0) != 0) {
    MESSAGE("no access lists here");
    return;
  }
  for (const unsigned rights : {0600U, 0640U}) {
    fs::permissions(source, fs::perms(rights));
    const RunDirectory run = run_from(root, source);
    CHECK(fs::status(run.path()).permissions() == fs::perms(0700));  // those of the group: the mask
  }
}

TEST_CASE("a run directory is closed where an access list may keep somebody from a source") {
  const TemporaryDirectory root;
  fs::permissions(root.path(), fs::perms(0755));
  const auto source = root.path() / "s.toml";
  std::ofstream(source) << "words";
  fs::permissions(source, fs::perms(0644));
  std::string list = test::access_list(5);
  list[14] = 0;  // the rights of the user 65534
  if (setxattr(source.c_str(), "system.posix_acl_access", list.data(), list.size(), 0) != 0) {
    MESSAGE("no access lists here");
    return;
  }
  const RunDirectory run = run_from(root, source);
  CHECK(fs::status(run.path()).permissions() == fs::perms(0700));
}

TEST_CASE("no other user writes into a run directory, whatever the umask is") {
  const TemporaryDirectory root;
  const mode_t before = umask(0);
  const RunDirectory run = RunDirectory::create({.root = root.path() / "runs",
                                                 .name = "r",
                                                 .scenario = "",
                                                 .replay = "",
                                                 .now = afternoon,
                                                 .patience = 10ms});
  umask(before);
  CHECK((fs::status(run.path()).permissions() & fs::perms(0022)) == fs::perms::none);
}

TEST_CASE("what shows a run is for those who can read its results and its scenario") {
  const TemporaryDirectory root;
  fs::permissions(root.path(), fs::perms(0755));
  const fs::path run = run_from(root, root.path()).path();
  CHECK(open_run(run).readers(root.path()) == 0644);
  fs::copy_file(run / "results.sqlite", root.path() / "mine.sqlite");
  fs::permissions(root.path() / "mine.sqlite", fs::perms(0600));
  CHECK(open_run(root.path() / "mine.sqlite").readers(root.path()) == 0600);
  fs::permissions(run / "scenario.toml", fs::perms(0600));
  CHECK(open_run(run).readers(root.path()) == 0600);
}

}  // namespace rhizome::scenarios::run_rights_test
