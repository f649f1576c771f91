// Reading the files of a directory that other users may have made.
#include <doctest/doctest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "scenarios/format/parser.hpp"
#include "scenarios/text/files.hpp"
#include "scenarios/text/input_error.hpp"
#include "test/support/temporary_directory.hpp"

namespace rhizome::scenarios::plain_file_test {

TEST_CASE("only plain files of a foreign directory are read, and no file blocks the reader") {
  const test::TemporaryDirectory directory;
  const std::filesystem::path plain = directory.path() / "plain";
  const std::filesystem::path pipe = directory.path() / "pipe";
  std::ofstream(plain) << "text";
  std::filesystem::create_symlink("plain", directory.path() / "link");
  std::filesystem::create_symlink("/dev/zero", directory.path() / "zero");
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  CHECK(read_plain_file(plain) == "text");
  CHECK_THROWS_AS(static_cast<void>(read_plain_file(plain, 3)), UnreadableFile);
  CHECK_FALSE(read_plain_file(directory.path() / "link"));
  CHECK_FALSE(read_plain_file(directory.path() / "zero"));
  CHECK_FALSE(read_plain_file(pipe));
  CHECK_FALSE(read_plain_file("/dev/null"));
  CHECK_FALSE(read_plain_file("/proc/self/status"));  // plain, by its look
  CHECK_FALSE(read_plain_file(directory.path()));
  CHECK_FALSE(read_plain_file(directory.path() / "none"));
}

TEST_CASE("the scenario of a foreign run is no pipe") {
  const test::TemporaryDirectory directory;
  REQUIRE(mkfifo((directory.path() / "scenario.toml").c_str(), 0600) == 0);
  CHECK_THROWS_AS(static_cast<void>(load_kept_scenario(directory.path(), {})), UnreadableFile);
}

}  // namespace rhizome::scenarios::plain_file_test
