#include "tools/monitor/web/door/token.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "scenarios/text/input_error.hpp"
#include "scenarios/text/whole_file.hpp"
#include "test/support/temporary_directory.hpp"
#include "tools/monitor/web/door/guard.hpp"

namespace rhizome::token_test {

using scenarios::UnreadableFile;
using tools::new_token;
using tools::token_in;

TEST_CASE("a token is 128 bits, and each is another") {
  const std::string token = new_token();
  CHECK(token.size() == 32);
  CHECK(token.find_first_not_of("0123456789abcdef") == std::string::npos);
  CHECK(new_token() != token);
}

TEST_CASE("a file keeps a token for later users of the same account, and for no others") {
  const test::TemporaryDirectory directory;
  const auto file = directory.path() / "token";
  const std::string token = token_in(file);
  CHECK(token.size() == 32);
  CHECK(token_in(file) == token);
  struct stat status {};
  REQUIRE(stat(file.c_str(), &status) == 0);
  CHECK((status.st_mode & 0777U) == 0600);
  REQUIRE(chmod(file.c_str(), 0640) == 0);
  CHECK_THROWS_AS(static_cast<void>(token_in(file)), UnreadableFile);
}

TEST_CASE("what the page of a server knows opens no later one, and programs are known to both") {
  const tools::Tokens kept{.read = {new_token()}, .steer = {new_token()}};
  const tools::Tokens now = tools::with_page(kept);
  const tools::Guard later(tools::with_page(kept));
  CHECK(later.knows("Bearer " + kept.read.front()));
  CHECK(later.knows("Bearer " + kept.steer.front()));
  for (const std::string& of_page : {now.read.front(), now.steer.front()}) {
    CHECK(tools::Guard(now).knows("Bearer " + of_page));
    CHECK_FALSE(later.knows("Bearer " + of_page));
  }
}

TEST_CASE("a pipe in the place of a token does not block, and a link is followed") {
  const test::TemporaryDirectory directory;
  const auto pipe = directory.path() / "pipe";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  CHECK_THROWS_AS(static_cast<void>(token_in(pipe)), UnreadableFile);
  const std::string token = token_in(directory.path() / "token");
  std::filesystem::create_symlink("token", directory.path() / "link");
  CHECK(tools::kept_token(directory.path() / "link") == token);
  CHECK_THROWS_AS(static_cast<void>(tools::kept_token(directory.path() / "none")), UnreadableFile);
  CHECK_FALSE(std::filesystem::exists(directory.path() / "none"));
}

TEST_CASE("a token behind another user's link is not read") {
  if (geteuid() != 0) return;  // only root can make such a link
  const test::TemporaryDirectory directory;
  const auto shared = directory.path() / "shared";
  std::filesystem::create_directory(shared);
  static_cast<void>(token_in(directory.path() / "token"));
  std::filesystem::create_symlink("../token", shared / "link");
  REQUIRE(lchown((shared / "link").c_str(), 65534, 65534) == 0);
  CHECK_THROWS_AS(static_cast<void>(tools::kept_token(shared / "link")), scenarios::CannotWrite);
  CHECK_THROWS_AS(static_cast<void>(token_in(shared / "link")), scenarios::CannotWrite);
}

TEST_CASE("a file that is no token is not taken for one, nor overwritten") {
  const test::TemporaryDirectory directory;
  const auto file = directory.path() / "letter";
  std::ofstream(file) << "Dear token,\n";
  REQUIRE(chmod(file.c_str(), 0600) == 0);
  CHECK_THROWS_AS(static_cast<void>(token_in(file)), UnreadableFile);
  CHECK_THROWS_AS(static_cast<void>(token_in(directory.path() / "no" / "folder")),
                  scenarios::CannotWrite);
}

TEST_CASE("who may only read has no token that steers") {
  const test::TemporaryDirectory directory;
  const auto read = directory.path() / "read";
  const auto steer = directory.path() / "steer";
  const tools::Tokens both = tools::tokens_in(read, steer);
  CHECK(both.read != both.steer);
  std::filesystem::copy_file(read, steer, std::filesystem::copy_options::overwrite_existing);
  CHECK_THROWS_WITH_AS(static_cast<void>(tools::tokens_in(read, steer)),
                       doctest::Contains("hold the same token"), UnreadableFile);
}

}  // namespace rhizome::token_test
