#include "scenarios/text/whole_file.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <string>

#include "scenarios/live/seen/recording.hpp"
#include "scenarios/world/workload/job_list.hpp"
#include "test/support/access_list.hpp"
#include "test/support/short_files.hpp"
#include "test/support/temporary_directory.hpp"
#include "test/support/temporary_file.hpp"
#include "tools/tournament/archive.hpp"

namespace rhizome::scenarios::whole_file_test {

namespace fs = std::filesystem;

namespace {

// Where the file is prepared.
fs::path part_of(const fs::path& file) {
  return file.parent_path() / ("." + file.filename().string() + ".rhizome-part");
}

}  // namespace

TEST_CASE("a file has its name once all of it is written, and nothing else is left beside it") {
  const test::TemporaryDirectory directory;
  const fs::path path = directory.path() / "page.html";
  write_whole(path, "old");
  {
    WholeFile file(path);
    file.out() << "new";
    CHECK(test::content_of(path.string()) == "old");
  }
  CHECK(test::content_of(path.string()) == "old");
  write_whole(path, "newer");
  CHECK(test::content_of(path.string()) == "newer");
  CHECK(std::distance(fs::directory_iterator(directory.path()), {}) == 1);
}

TEST_CASE("a file that the user named is written itself if it is not plain, and a link stays one") {
  const test::TemporaryDirectory directory;
  const fs::path path = directory.path() / "page.html";
  const fs::path link = directory.path() / "latest.html";
  write_whole(path, "old");
  fs::create_symlink("page.html", link);
  write_whole(link, "new", WholeFile::Name::chosen);
  CHECK(fs::is_symlink(link));
  CHECK(test::content_of(path.string()) == "new");
  write_whole("/dev/null", "new", WholeFile::Name::chosen);
  CHECK(fs::is_character_file("/dev/null"));
}

TEST_CASE("a file that its user has closed to others stays closed when it is replaced") {
  const test::TemporaryDirectory directory;
  const fs::path path = directory.path() / "page.html";
  write_whole(path, "old");
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
  write_whole(path, "new");
  CHECK(fs::status(path).permissions() == (fs::perms::owner_read | fs::perms::owner_write));
}

TEST_CASE("a file that others may write is not kept") {
  const test::TemporaryDirectory directory;
  const fs::path path = directory.path() / "kept.jsonl";
  CHECK_NOTHROW(OwnLines(path, OwnLines::Begin::kept));
  fs::permissions(path, fs::perms(0666));
  CHECK_THROWS_AS(OwnLines(path, OwnLines::Begin::kept), CannotWrite);
  CHECK_NOTHROW(OwnLines(path, OwnLines::Begin::empty));
}

TEST_CASE("no lines are written to a file that has a further name") {
  const test::TemporaryDirectory directory;
  write_whole(directory.path() / "mine", "words");
  fs::create_hard_link(directory.path() / "mine", directory.path() / "lines");
  for (const auto begin : {OwnLines::Begin::kept, OwnLines::Begin::empty})
    CHECK_THROWS_AS(OwnLines(directory.path() / "lines", begin), CannotWrite);
  CHECK_THROWS_AS(static_cast<void>(open_own(directory.path() / "lines")), CannotWrite);
  CHECK(test::content_of((directory.path() / "mine").string()) == "words");
}

TEST_CASE("a file that may only be read is not replaced, and the longest name can be written") {
  const test::TemporaryDirectory directory;
  const fs::path path = directory.path() / std::string(255, 'x');
  write_whole(path, "old");
  fs::permissions(path, fs::perms::owner_read);
  CHECK_THROWS_AS(write_whole(path, "new"), CannotWrite);
  CHECK(test::content_of(path.string()) == "old");
}

TEST_CASE("a file of another group is not opened to the user's own when it is replaced") {
  if (geteuid() != 0) return;  // only root may give a file to any group
  const test::TemporaryDirectory directory;
  const fs::path path = directory.path() / "page.html";
  write_whole(path, "old");
  REQUIRE(chown(path.c_str(), 0, 65534) == 0);
  fs::permissions(path, fs::perms(0640));
  write_whole(path, "new");
  CHECK(fs::status(path).permissions() == fs::perms(0600));
}

TEST_CASE("a name of the kernel's for a pipe is written itself") {
  std::array<int, 2> ends{};
  REQUIRE(pipe(ends.data()) == 0);
  write_whole("/dev/fd/" + std::to_string(ends[1]), "new", WholeFile::Name::chosen);
  std::array<char, 8> got{};
  CHECK(read(ends[0], got.data(), got.size()) == 3);
  for (const int end : ends) close(end);
}

TEST_CASE("a line that does not fit on the disk leaves the lines before it") {
  const test::TemporaryDirectory directory;
  const std::string file = (directory.path() / "lines").string();
  OwnLines lines(file);
  CHECK(lines.add("first\n"));
  {
    const test::ShortFiles full(9);
    CHECK_FALSE(lines.add("second\n"));
  }
  CHECK(test::content_of(file) == "first\n");
  CHECK(lines.add("third\n"));
  CHECK(test::content_of(file) == "first\nthird\n");
}

TEST_CASE("lines that are kept can be read and cut, and stay in the file that was opened") {
  const test::TemporaryDirectory directory;
  const std::string file = (directory.path() / "lines").string();
  std::ofstream(file) << "first\nsec";
  OwnLines lines(file, OwnLines::Begin::kept);
  std::filesystem::rename(file, file + "2");
  std::ofstream(file) << "another";
  CHECK(lines.text(9) == "first\nsec");
  CHECK_FALSE(lines.text(8));
  CHECK(lines.cut(6));
  CHECK(lines.add("second\n"));
  CHECK(test::content_of(file) == "another");
  CHECK(test::content_of(file + "2") == "first\nsecond\n");
}

TEST_CASE("a folder that is held stays the same, whatever takes its name") {
  const test::TemporaryDirectory directory;
  make_folder(directory.path() / "one");
  make_folder(directory.path() / "two");
  const HeldFolder held(directory.path() / "one");
  fs::rename(directory.path() / "one", directory.path() / "moved");
  fs::create_symlink("two", directory.path() / "one");
  write_whole(held.path() / "file", "text");
  CHECK(test::content_of((directory.path() / "moved" / "file").string()) == "text");
  CHECK(fs::is_empty(directory.path() / "two"));
  CHECK_THROWS_AS(HeldFolder(directory.path() / "none"), CannotWrite);
}

TEST_CASE("only its user writes to a folder that is made, whatever umask and access list say") {
  const std::string list = test::access_list();
  const test::TemporaryDirectory directory;
  const bool listed = setxattr(directory.path().c_str(), "system.posix_acl_default", list.data(),
                               list.size(), 0) == 0;
  CHECK((listed || errno == EOPNOTSUPP));
  const mode_t before = umask(0);
  make_folder(directory.path() / "one" / "two");
  umask(before);
  for (const fs::path& made : {directory.path() / "one", directory.path() / "one" / "two"})
    CHECK((fs::status(made).permissions() & fs::perms(0022)) == fs::perms::none);
}

TEST_CASE("a file that is for fewer readers than the one that it replaces is for these alone") {
  const test::TemporaryDirectory directory;
  const fs::path file = directory.path() / "page";
  write_whole(file, "for all");
  fs::permissions(file, fs::perms(0664));
  write_whole(file, "for me", WholeFile::Name::implied, 0600);
  CHECK((fs::status(file).permissions() & fs::perms(0066)) == fs::perms::none);
}

TEST_CASE("an access list of the folder lets nobody read a file that is not for all") {
  const std::string list = test::access_list();
  const test::TemporaryDirectory directory;
  if (setxattr(directory.path().c_str(), "system.posix_acl_default", list.data(), list.size(), 0) !=
      0) {
    CHECK(errno == EOPNOTSUPP);
    return;
  }
  for (const mode_t rights : {0600, 0640}) {
    const fs::path file = directory.path() / std::to_string(rights);
    write_whole(file, "for me", WholeFile::Name::implied, rights);
    CHECK((fs::status(file).permissions() & fs::perms(0077)) == fs::perms::none);
  }
  const fs::path kept = directory.path() / "kept";  // the user has closed what would be for all
  write_whole(kept, "for all");
  removexattr(kept.c_str(), "system.posix_acl_access");
  fs::permissions(kept, fs::perms(0640));
  write_whole(kept, "for me");
  CHECK((fs::status(kept).permissions() & fs::perms(0077)) == fs::perms::none);
  const mode_t before = umask(0077);
  CHECK(OwnLines(directory.path() / "lines").add("for me"));
  umask(before);
  CHECK((fs::status(directory.path() / "lines").permissions() & fs::perms(0077)) ==
        fs::perms::none);
}

TEST_CASE("no folder is made behind a link of another user") {
  if (geteuid() != 0) return;
  const test::TemporaryDirectory directory;
  REQUIRE(chmod(directory.path().c_str(), 01777) == 0);
  REQUIRE(chown(directory.path().c_str(), 4321, 4321) == 0);
  const fs::path home = directory.path() / "home";
  make_folder(home / "one");
  CHECK(fs::is_directory(home / "one"));
  const fs::path link = directory.path() / "link";
  fs::create_symlink("home", link);
  for (const uid_t other : {1234, 4321}) {  // the owner of the folder is another one, too
    REQUIRE(lchown(link.c_str(), other, other) == 0);
    CHECK_THROWS_AS(make_folder(link / "two"), CannotWrite);
  }
  CHECK_FALSE(fs::exists(home / "two"));
}

TEST_CASE("no recording, record of jobs or archive follows a link of another user") {
  if (geteuid() != 0) return;
  const test::TemporaryDirectory directory;
  REQUIRE(chmod(directory.path().c_str(), 01777) == 0);
  REQUIRE(chown(directory.path().c_str(), 4321, 4321) == 0);
  const fs::path precious = directory.path() / "precious";
  const fs::path link = directory.path() / "seen";
  write_whole(precious, "kept");
  fs::create_symlink("precious", link);
  REQUIRE(lchown(link.c_str(), 1234, 1234) == 0);
  CHECK_THROWS_AS(live::RecordingWriter(link, {}), CannotWrite);
  CHECK_THROWS_AS(JobRecord(link.string()), CannotWrite);
  CHECK_THROWS_AS(tools::Archive{link}, CannotWrite);
  CHECK(test::content_of(precious.string()) == "kept");
}

TEST_CASE(
    "nothing goes into a pipe of another user, and no recording, record or archive in a file") {
  if (geteuid() != 0) return;
  const test::TemporaryDirectory directory;
  REQUIRE(chmod(directory.path().c_str(), 01777) == 0);
  const fs::path theirs = directory.path() / "theirs";
  const fs::path pipe = directory.path() / "pipe";
  write_whole(theirs, "theirs");
  REQUIRE(mkfifo(pipe.c_str(), 0666) == 0);
  for (const fs::path& place : {theirs, pipe}) {
    REQUIRE(chown(place.c_str(), 1234, 1234) == 0);
    CHECK_THROWS_AS(live::RecordingWriter(place, {}), CannotWrite);
    CHECK_THROWS_AS(JobRecord(place.string()), CannotWrite);
    CHECK_THROWS_AS(tools::Archive{place}, CannotWrite);
  }
  CHECK_THROWS_AS(write_whole(pipe, "ours", WholeFile::Name::chosen), CannotWrite);
  CHECK(test::content_of(theirs.string()) == "theirs");
}

TEST_CASE("a link of another user in a folder for all is not followed, though it was named") {
  if (geteuid() != 0) return;
  const test::TemporaryDirectory directory;
  REQUIRE(chmod(directory.path().c_str(), 01777) == 0);
  const fs::path precious = directory.path() / "precious";
  const fs::path link = directory.path() / "report.html";
  write_whole(precious, "kept");
  fs::create_symlink("precious", link);
  write_whole(link, "ours", WholeFile::Name::chosen);
  CHECK(test::content_of(precious.string()) == "ours");
  REQUIRE(lchown(link.c_str(), 65534, 65534) == 0);
  for (const mode_t mode : {01777, 0777, 02775}) {
    REQUIRE(chmod(directory.path().c_str(), mode) == 0);
    CHECK_THROWS_AS(write_whole(link, "lost", WholeFile::Name::chosen), CannotWrite);
  }
  CHECK(test::content_of(precious.string()) == "ours");
}

TEST_CASE("a link of another user in the midst of a path is not followed") {
  if (geteuid() != 0) return;
  const test::TemporaryDirectory directory;
  REQUIRE(chmod(directory.path().c_str(), 01777) == 0);
  const fs::path home = directory.path() / "home";
  const fs::path link = directory.path() / "csv";
  fs::create_directory(home);
  write_whole(home / "jobs.csv", "kept");
  fs::create_directory_symlink("home", link);
  write_whole(link / "jobs.csv", "ours", WholeFile::Name::chosen);
  CHECK(test::content_of((home / "jobs.csv").string()) == "ours");
  CHECK(led_to(link / ".." / "csv" / "new") == fs::canonical(home) / "new");
  REQUIRE(lchown(link.c_str(), 1234, 1234) == 0);
  for (const WholeFile::Name name : {WholeFile::Name::chosen, WholeFile::Name::implied})
    CHECK_THROWS_AS(write_whole(link / "jobs.csv", "lost", name), CannotWrite);
  CHECK_THROWS_AS((void)open_own(link / "jobs.csv"), CannotWrite);
  const fs::path again = directory.path() / "again";  // a link of one's own that leads to it
  fs::create_symlink("csv/jobs.csv", again);
  CHECK_THROWS_AS(write_whole(again, "lost", WholeFile::Name::chosen), CannotWrite);
  CHECK(test::content_of((home / "jobs.csv").string()) == "ours");
}

TEST_CASE("in a place that the user did not name nothing but a plain file is replaced") {
  const test::TemporaryDirectory directory;
  const fs::path other = directory.path() / "other";
  const fs::path path = directory.path() / "run.json";
  write_whole(other, "precious");
  fs::create_symlink("other", path);
  CHECK_THROWS_AS(write_whole(path, "new"), CannotWrite);
  fs::remove(path);
  fs::create_symlink("nowhere", path);
  CHECK_THROWS_AS(write_whole(path, "new"), CannotWrite);
  CHECK_FALSE(fs::exists(directory.path() / "nowhere"));
  CHECK_THROWS_AS(write_whole("/dev/null", "new"), CannotWrite);
  CHECK(test::content_of(other.string()) == "precious");
}

// Another process may replace a file between the check of its path and the write.
TEST_CASE("a link that takes the place of a file while it is written is replaced, not followed") {
  const test::TemporaryDirectory directory;
  const fs::path other = directory.path() / "other";
  const fs::path path = directory.path() / "run.json";
  write_whole(other, "precious");
  WholeFile file(path);
  fs::create_symlink("other", path);
  file.out() << "new";
  file.commit();
  CHECK(test::content_of(other.string()) == "precious");
  CHECK(test::content_of(path.string()) == "new");
  CHECK_FALSE(fs::is_symlink(path));
}

TEST_CASE("a pipe in the place where a file is prepared does not block") {
  const test::TemporaryDirectory directory;
  const fs::path path = directory.path() / "page.html";
  REQUIRE(mkfifo(part_of(path).c_str(), 0600) == 0);
  write_whole(path, "new");
  CHECK(test::content_of(path.string()) == "new");
}

TEST_CASE("a link in the place where a file is prepared leads to no other file") {
  const test::TemporaryDirectory directory;
  const fs::path path = directory.path() / "page.html";
  const fs::path other = directory.path() / "other";
  write_whole(other, "precious");
  fs::create_symlink("other", part_of(path));
  write_whole(path, "new");
  CHECK(test::content_of(other.string()) == "precious");
  CHECK(test::content_of(path.string()) == "new");
  CHECK_FALSE(fs::is_symlink(path));
}

TEST_CASE("a full disk and a missing folder are told") {
  CHECK_THROWS_AS(write_whole("/dev/full", "text", WholeFile::Name::chosen), CannotWrite);
  try {
    write_whole("/nowhere/page.html", "text");
    FAIL("it was written");
  } catch (const CannotWrite& error) {
    CHECK(std::string(error.what()) ==
          "/nowhere/page.html cannot be written: No such file or directory");
  }
}

}  // namespace rhizome::scenarios::whole_file_test
