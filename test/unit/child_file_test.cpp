// The files of children, in folders where other users may put some.
#include "core/child/child_file.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string>

#include "test/support/temporary_directory.hpp"

namespace rhizome::child_file_test {

namespace fs = std::filesystem;

namespace {

constexpr uid_t somebody = 65534;
constexpr int reads = O_RDONLY | O_NONBLOCK;  // of a pipe: without waiting for who writes
constexpr int writes = O_WRONLY | O_TRUNC;

bool opens(const fs::path& file, int flags, bool plain) {
  const int opened = core::open_child_file(file.c_str(), flags, plain);
  if (opened >= 0) close(opened);
  return opened >= 0;
}

void give_away(const fs::path& file) { REQUIRE(lchown(file.c_str(), somebody, somebody) == 0); }

}  // namespace

TEST_CASE("a child writes into no file of another user or name, and waits for no pipe of theirs") {
  const test::TemporaryDirectory place;
  const fs::path file = place.path() / "file";
  const fs::path pipe = place.path() / "pipe";
  std::ofstream(file) << "words";
  REQUIRE(mkfifo(pipe.c_str(), 0644) == 0);
  CHECK(opens(pipe, reads, false));
  CHECK_FALSE(opens(pipe, reads, true));
  for (const bool plain : {true, false}) {
    CAPTURE(plain);
    CHECK(opens(place.path() / "new", writes, plain));
    CHECK(opens(file, writes, plain));
  }
  fs::create_hard_link(file, place.path() / "further");  // which another user may have put there
  CHECK_FALSE(opens(place.path() / "further", writes, false));
  CHECK(opens(place.path() / "further", reads, false));
  fs::remove(place.path() / "further");
  if (geteuid() != 0) return;
  give_away(file);
  give_away(pipe);
  for (const bool plain : {true, false}) {
    CAPTURE(plain);
    CHECK(opens(file, reads, plain));
    CHECK_FALSE(opens(file, writes, plain));
    CHECK(errno == EACCES);
    CHECK_FALSE(opens(pipe, reads, plain));
  }
}

TEST_CASE("a child follows no link of another user, were it the owner of the folder") {
  const test::TemporaryDirectory place;
  const fs::path folder = place.path() / "folder";
  fs::create_directory(folder);
  std::ofstream(place.path() / "file") << "words";
  fs::create_symlink("../file", folder / "link");
  CHECK(opens(folder / "link", reads, false));
  CHECK_FALSE(opens(folder / "link", reads, true));
  if (geteuid() != 0) return;
  give_away(folder / "link");
  CHECK_FALSE(opens(folder / "link", reads, false));
  give_away(folder);
  CHECK_FALSE(opens(folder / "link", reads, false));
  CHECK(errno == ELOOP);
}

}  // namespace rhizome::child_file_test
