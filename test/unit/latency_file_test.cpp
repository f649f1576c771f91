#include "scenarios/world/network/latencies.hpp"

#include <doctest/doctest.h>

#include <string>

#include "scenarios/text/input_error.hpp"
#include "test/support/temporary_file.hpp"

namespace rhizome::latency_file_test {

using namespace std::chrono_literals;
using scenarios::InputError;
using test::TemporaryFile;

namespace {

core::MatrixLatency::Matrix read(const std::string& text) {
  return scenarios::read_latency_file(TemporaryFile(text).name()).matrix;
}

// The error in a matrix, without the name of its file.
std::string complaint(const std::string& text) {
  const TemporaryFile file(text);
  try {
    (void)scenarios::read_latency_file(file.name());
  } catch (const InputError& error) {
    REQUIRE(std::string(error.what()).starts_with(file.name() + ":"));
    return std::string(error.what()).substr(file.name().size() + 1);
  }
  return "nothing";
}

}  // namespace

TEST_CASE("round trips in milliseconds become half as long one way") {
  const core::MatrixLatency::Matrix expected = {{0ms, 5ms}, {10ms, 1250us}};
  CHECK(read("0\t10\n20\t2.5\n") == expected);
  CHECK(read("0,10\r\n20,2.5") == expected);
  CHECK(read("0\t10\t\n20\t2.5\t\n\n") == expected);
  CHECK(read("0  10\n20 2.5 \n") == expected);
}

TEST_CASE("errors in a latency matrix are reported with line and column") {
  CHECK(complaint("") == "1:1: there is no matrix in this file");
  CHECK(complaint("0,1\n1,x\n") == "2:3: a round-trip time must be a number, not \"x\"");
  CHECK(complaint("0,1e99\n1,0\n") == "1:3: a round-trip time is impossibly large");
  CHECK(complaint("0,inf\n1,0\n") == "1:3: a round-trip time must be a finite number");
  CHECK(complaint("0,1\n1\n") == "2:1: this row has 1 times, the first has 2");
  CHECK(complaint("0,1\n") ==
        "2:1: the matrix has 1 rows but 2 columns; a square "
        "matrix of round-trip times in milliseconds, one row a line, is "
        "needed");
  CHECK(complaint("0,,1\n") == "1:3: a round-trip time must be a number, not \"\"");
}

TEST_CASE("comments, a line of names and names of rows are passed over") {
  const core::MatrixLatency::Matrix expected = {{0ms, 5ms}, {10ms, 1250us}};
  CHECK(read("\xEF\xBB\xBF# measured\n0 10\n# more\n20 2.5\n") == expected);
  CHECK(read("a, b\n0, 10\n20, 2.5\n") == expected);
  CHECK(read("host\ta\tb\na\t0\t10\nb\t20\t2.5\n") == expected);
}

TEST_CASE("a missing latency is that of the other direction, or the median") {
  CHECK(read("0 10 nan\n20 0 -1\n40 - 0\n") ==
        core::MatrixLatency::Matrix{{0ms, 5ms, 20ms}, {10ms, 0ms, 10ms}, {20ms, 10ms, 0ms}});
  const TemporaryFile file("0 10 nan\n20 0 -1\n40 - 0\n");
  CHECK(scenarios::read_latency_file(file.name()).unmeasured == 1);
}

TEST_CASE("a list of pairs is no matrix, also where three rows of it look like one") {
  CHECK(complaint("1 2 10000\n1 3 20000\n2 3 30000\n")
            .starts_with("4:1: these are pairs of hosts and times; a square matrix"));
  CHECK(complaint("1 2 10\n1 3 20\n2 3 30\n3 4 1\n").starts_with("5:1: these are pairs"));
  CHECK(complaint("0 10 20\n10 0 30\n20 30 0\n") == "nothing");
}

TEST_CASE("no more is read of a file than of a matrix, however long it is") {
  const auto times = [](const std::string& text, int count) {
    std::string all;
    for (int i = 0; i < count; ++i) all += text;
    return all;
  };
  CHECK(complaint(times("0,1\n", 200))
            .starts_with("101:1: the matrix has at least 101 rows but 2 columns"));
  CHECK(complaint(times("1 2 10\n", 200)).starts_with("101:1: these are pairs"));
  CHECK(complaint(times("1,", 3001) + "\n") ==
        "1:1: this row has 3001 times, and 3000 hosts are the most");
}

TEST_CASE("the shipped PlanetLab matrix has the hosts and the mean that its page says") {
  const auto matrix =
      scenarios::read_latency_file(test::shipped("scenarios/data/planetlab150.txt.gz")).matrix;
  REQUIRE(matrix.size() == 150);
  double sum = 0;
  for (std::size_t a = 0; a < matrix.size(); ++a)
    for (std::size_t b = 0; b < matrix.size(); ++b) {
      REQUIRE(matrix[a][b] == matrix[b][a]);
      REQUIRE((matrix[a][b] == 0ms) == (a == b));
      sum += core::seconds(matrix[a][b]);
    }
  CHECK(sum / (150 * 149) == doctest::Approx(0.0742).epsilon(0.001));
}

}  // namespace rhizome::latency_file_test
