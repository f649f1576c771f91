// Which file has the standard error of a peer's program, and what is shown of it.
#include "agents/program/logs.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "test/support/temporary_directory.hpp"

namespace rhizome::agents::program_logs_test {

using namespace program;
using core::PeerId;
using Lines = std::vector<std::string>;

namespace {

class Logs {
 public:
  void add(const std::string& name, const std::string& text) {
    std::ofstream(directory_.path() / name) << text;
  }
  [[nodiscard]] Lines of(std::uint32_t peer) const {
    return end_of_log(directory_.path(), 42, PeerId{peer}, 2);
  }

  [[nodiscard]] std::filesystem::path path() const { return directory_.path(); }

 private:
  test::TemporaryDirectory directory_;
};

}  // namespace

TEST_CASE("a log is named after its run and its peers") {
  CHECK(log_name(42, PeerId{7}, PeerId{7}) == "42-n7.log");
  CHECK(log_name(42, PeerId{0}, PeerId{19}) == "42-n0-n19.log");
}
TEST_CASE("the log of a peer is that of its process, in its run") {
  Logs logs;
  logs.add("42-n7.log", "alone\n");
  logs.add("42-n20-n39.log", "together\n");
  logs.add("43-n8.log", "another run\n");
  logs.add("42-n9.txt", "no log\n");
  logs.add("42-n1x.log", "no peer\n");
  CHECK(logs.of(7) == Lines{"alone"});
  for (const std::uint32_t peer : {20U, 30U, 39U}) CHECK(logs.of(peer) == Lines{"together"});
  for (const std::uint32_t peer : {1U, 8U, 9U, 19U, 40U}) CHECK(logs.of(peer).empty());
}
TEST_CASE("of a long log the last lines are read, each of them whole") {
  Logs logs;
  logs.add("42-n0.log", std::string(100, 'x') + "\nfirst\nsecond\nthird\n");
  logs.add("42-n1.log", std::string(5000, 'x') + "\nlast\n");
  logs.add("42-n2.log", "");
  CHECK(logs.of(0) == Lines{"second", "third"});
  CHECK(logs.of(1) == Lines{"last"});
  CHECK(logs.of(2).empty());
}

TEST_CASE("a pipe or a link in place of a log is not read") {
  Logs logs;
  logs.add("secret", "of somebody else\n");
  std::filesystem::create_symlink(logs.path() / "secret", logs.path() / "42-n0.log");
  REQUIRE(mkfifo((logs.path() / "42-n1.log").c_str(), 0600) == 0);
  CHECK(logs.of(0).empty());
  CHECK(logs.of(1).empty());
}

}  // namespace rhizome::agents::program_logs_test
