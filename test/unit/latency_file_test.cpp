#include "scenarios/world/network/latency_file.hpp"

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
  return scenarios::read_latency_file(TemporaryFile(text).name());
}

// What is wrong with a matrix, without the name of its file.
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

TEST_CASE("what is wrong with a latency matrix is said with its line and column") {
  CHECK(complaint("") == "1:1: there is no matrix in this file");
  CHECK(complaint("0,1\n1,x\n") == "2:3: a round-trip time must be a number, not \"x\"");
  CHECK(complaint("0,1\n-1,0\n") == "2:1: a round-trip time must not be negative");
  CHECK(complaint("0,1e99\n1,0\n") == "1:3: a round-trip time is impossibly large");
  CHECK(complaint("0,inf\n1,0\n") == "1:3: a round-trip time must be a finite number");
  CHECK(complaint("0,1\n1\n") == "2:1: this row has 1 times, the first has 2");
  CHECK(complaint("0,1\n") == "2:1: the matrix has 1 rows but 2 columns");
  CHECK(complaint("0,,1\n") == "1:3: a round-trip time must be a number, not \"\"");
}

TEST_CASE("the shipped PlanetLab matrix has the hosts and the mean that its page says") {
  const auto matrix =
      scenarios::read_latency_file(test::shipped("scenarios/data/planetlab150.txt.gz"));
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
