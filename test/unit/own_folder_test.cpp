// Folders that no other user can exchange.
#include "core/child/own_folder.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "test/support/access_list.hpp"
#include "test/support/temporary_directory.hpp"

namespace rhizome::own_folder_test {

namespace fs = std::filesystem;
using core::open_to_others;
using core::others_may_write;
using core::readers_of;

namespace {

constexpr fs::perms all_users = fs::perms::owner_all | fs::perms::group_all | fs::perms::others_all;

// Sets $TMPDIR, and restores it at the end.
class TemporaryFiles {
 public:
  explicit TemporaryFiles(const fs::path& folder) {
    if (const char* set = std::getenv("TMPDIR")) before_ = set;
    setenv("TMPDIR", folder.c_str(), 1);
  }
  ~TemporaryFiles() {
    if (before_)
      setenv("TMPDIR", before_->c_str(), 1);
    else
      unsetenv("TMPDIR");
  }
  TemporaryFiles(const TemporaryFiles&) = delete;
  TemporaryFiles& operator=(const TemporaryFiles&) = delete;

 private:
  std::optional<std::string> before_;
};

}  // namespace

TEST_CASE("a user that may write into a folder of a path may exchange its target") {
  const test::TemporaryDirectory directory;
  const fs::path outer = directory.path() / "outer";
  const fs::path place = outer / "inner" / "file";
  fs::create_directories(place.parent_path());
  fs::permissions(outer, fs::perms::owner_all);
  fs::permissions(place.parent_path(), fs::perms::owner_all);
  CHECK_FALSE(open_to_others(place));
  fs::permissions(outer, all_users);
  CHECK(open_to_others(place) == outer);
  fs::permissions(outer, all_users | fs::perms::sticky_bit);
  CHECK_FALSE(open_to_others(place));
}

TEST_CASE("another user may make a folder of a path that is not there") {
  const test::TemporaryDirectory directory;
  const fs::path folder = directory.path() / "later";
  CHECK(open_to_others(folder / "inner" / "file") == folder / "inner");
  CHECK(others_may_write(folder));
  CHECK_FALSE(open_to_others(folder));
  CHECK(core::why_open(folder) == folder.string() + ": No such file or directory");
  CHECK(core::why_open(directory.path()) ==
        "other users may exchange what stands in " + directory.path().string());
}

TEST_CASE("a group may exchange what it may write, unless it is the user's own and has no other") {
  if (geteuid() != 0) return;
  const test::TemporaryDirectory directory;
  const fs::path folder = directory.path() / "folder";
  fs::create_directory(folder);
  fs::permissions(folder, fs::perms::owner_all | fs::perms::group_all);
  CHECK_FALSE(open_to_others(folder / "file"));
  CHECK_FALSE(others_may_write(folder));
  REQUIRE(chown(folder.c_str(), 0, 65534) == 0);
  CHECK(open_to_others(folder / "file") == folder);
  CHECK(others_may_write(folder));
}

TEST_CASE("a folder above that to which a link leads counts, too") {
  const test::TemporaryDirectory directory;
  const fs::path open = directory.path() / "open";
  const fs::path link = directory.path() / "link";
  fs::create_directories(open / "mine");
  fs::permissions(open / "mine", fs::perms::owner_all);
  fs::permissions(open, fs::perms::owner_all);
  fs::create_directory_symlink(open / "mine", link);
  CHECK_FALSE(open_to_others(link / "file"));
  fs::permissions(open, all_users);
  CHECK(open_to_others(link / "file") == open);
}

TEST_CASE(
    "a folder in which a link stands counts, though both its path and its target lead past it") {
  const test::TemporaryDirectory directory;
  const fs::path open = directory.path() / "open";
  fs::create_directories(open);
  fs::create_directories(directory.path() / "real");
  std::ofstream(directory.path() / "real" / "file") << "words";
  fs::create_directory_symlink(directory.path() / "real", open / "current");
  fs::create_directory_symlink(open / "current", directory.path() / "link");
  fs::create_symlink(open / "current" / "file", directory.path() / "name");
  for (const fs::path& place : {directory.path() / "link" / "file", directory.path() / "name"}) {
    fs::permissions(open, fs::perms::owner_all);
    CHECK_FALSE(open_to_others(place));
    fs::permissions(open, all_users);
    CHECK(open_to_others(place) == open);
  }
}

TEST_CASE("an access list that lets others write counts, though the group is the user's own") {
  const std::string list = test::access_list(5);
  const test::TemporaryDirectory directory;
  const fs::path folder = directory.path() / "folder";
  fs::create_directory(folder);
  fs::permissions(folder, fs::perms(0755));
  CHECK_FALSE(others_may_write(folder));
  if (setxattr(folder.c_str(), "system.posix_acl_access", list.data(), list.size(), 0) != 0) {
    CHECK(errno == EOPNOTSUPP);  // a file system without such lists
    return;
  }
  CHECK(others_may_write(folder));
  CHECK(open_to_others(folder / "file") == folder);
  CHECK(readers_of(folder, directory.path()) == 0700);  // it may keep somebody out
}

TEST_CASE("a folder that is not there yet will have the group of the one in which it is made") {
  if (geteuid() != 0) return;  // only root may give a folder any group
  const test::TemporaryDirectory directory;
  fs::permissions(directory.path(), fs::perms(0755));
  const fs::path file = directory.path() / "file";
  const fs::path shared = directory.path() / "shared";
  std::ofstream(file) << "words";
  fs::permissions(file, fs::perms(0640));
  fs::create_directory(shared);
  CHECK(readers_of(file, shared / "new" / "one") == 0750);
  REQUIRE(chown(shared.c_str(), 0, 65534) == 0);
  REQUIRE(chmod(shared.c_str(), 02775) == 0);
  for (const fs::path& folder : {shared, shared / "new" / "one"})
    CHECK(readers_of(file, folder) == 0700);
}

TEST_CASE("a new file has no rights for a group that was not foreseen") {
  if (geteuid() != 0) return;  // only root may give a file any group
  const test::TemporaryDirectory directory;
  const fs::path file = directory.path() / "file";
  const auto rights = [&](mode_t wanted) {
    core::give_rights(core::Opened(file, O_RDONLY), wanted, directory.path(), core::Umask::ignored);
    return fs::status(file).permissions();
  };
  std::ofstream(file) << "words";
  CHECK(rights(0640) == fs::perms(0640));
  REQUIRE(chown(file.c_str(), 0, 65534) == 0);
  CHECK(rights(0640) == fs::perms(0600));
  CHECK(rights(0664) == fs::perms(0644));
}

TEST_CASE("a new file is for no more readers than the kernel lets in by the list of its folder") {
  const test::TemporaryDirectory directory;
  const fs::path ours = directory.path() / "ours";
  const fs::path usual = directory.path() / "usual";
  const auto make = [](const fs::path& file, mode_t rights) {
    fs::remove(file);
    REQUIRE(close(open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL, rights)) == 0);
  };
  const auto make_both = [&](const std::string& list) {
    if (setxattr(directory.path().c_str(), "system.posix_acl_default", list.data(), list.size(),
                 0) != 0)
      CHECK(errno == EOPNOTSUPP);
    make(usual, 0644);
    make(ours, 0600);
    core::give_rights(core::Opened(ours, O_RDONLY), 0644, directory.path(), core::Umask::counts);
  };
  const auto rights = [](const fs::path& file) { return fs::status(file).permissions(); };
  for (const mode_t mask : {0022, 0077}) {
    const mode_t before = umask(mask);
    for (const char others : {'\0', '\4', '\7'}) {
      for (const char group : {'\0', '\4'}) {
        make_both(test::plain_list(group, others));
        CHECK(rights(ours) == rights(usual));
      }
      for (const char group : {'\0', '\4', '\7'}) {
        make_both(test::access_list(others, group));
        CHECK(rights(ours) == rights(usual));
      }
    }
    umask(before);
  }
}

TEST_CASE("the owner of a folder or a link of a path may exchange its target") {
  constexpr uid_t somebody = 65534;
  const test::TemporaryDirectory directory;
  const fs::path outer = directory.path() / "outer";
  const fs::path link = directory.path() / "link";
  fs::create_directory(outer);
  fs::permissions(outer, fs::perms::owner_all);
  fs::create_directory_symlink(outer, link);
  CHECK_FALSE(open_to_others(link / "file"));
  if (geteuid() != 0) return;  // only root may change an owner
  REQUIRE(lchown(link.c_str(), somebody, somebody) == 0);
  CHECK(open_to_others(link / "file") == link);
  CHECK_FALSE(open_to_others(outer / "file"));
  REQUIRE(chown(outer.c_str(), somebody, somebody) == 0);
  CHECK(open_to_others(outer / "file") == outer);
}

TEST_CASE("no temporary file is made where other users may exchange it") {
  const test::TemporaryDirectory directory;
  const TemporaryFiles set(directory.path());
  CHECK(core::temporary_folder() == directory.path());
  fs::path made;
  {
    const core::OwnFolder own;
    made = own.path();
    CHECK(made.parent_path() == directory.path());
    CHECK((fs::status(made).permissions() & all_users) == fs::perms::owner_all);
  }
  CHECK_FALSE(fs::exists(made));
  fs::permissions(directory.path(), all_users);
  CHECK_THROWS_WITH_AS(core::OwnFolder(), doctest::Contains("set TMPDIR"), core::NoFolder);
  CHECK(fs::is_empty(directory.path()));
}

TEST_CASE("without a folder of temporary files none is made elsewhere") {
  const test::TemporaryDirectory directory;
  const TemporaryFiles set(directory.path() / "none");
  CHECK_THROWS_AS(static_cast<void>(core::temporary_folder()), core::NoFolder);
}

}  // namespace rhizome::own_folder_test
