#include "scenarios/format/range.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "scenarios/text/input_error.hpp"
#include "test/support/refusal.hpp"

namespace rhizome::scenarios::range_test {

namespace {

// The values as TOML writes them, with a space between; "-" where the text is no range.
std::string values(const std::string& text) {
  const auto list = range_values(text, {"here", 0, 0});
  if (!list) return "-";
  std::string all;
  for (const Scalar& value : *list) all += (all.empty() ? "" : " ") + toml_text(value);
  return all;
}

std::string refusal(const std::string& text) {
  return test::refusal_by([&] { static_cast<void>(range_values(text, {"here", 0, 0})); });
}

}  // namespace

TEST_CASE("a range of whole numbers has each of them, or one in so many") {
  CHECK(values("3..6") == "3 4 5 6");
  CHECK(values("-1..1") == "-1 0 1");
  CHECK(values("7..7") == "7");
  CHECK(values("50..500 step 150") == "50 200 350 500");
  CHECK(values("50..480 step 150") == "50 200 350");
  CHECK(values("-9223372036854775808..9223372036854775807 step 9223372036854775807") ==
        "-9223372036854775808 -1 9223372036854775806");
}

TEST_CASE("a range of decimals, durations or rates has a step of its kind") {
  CHECK(values("0.1..0.3 step 0.1") == "0.1 0.2 0.3");
  CHECK(values("1..2 step 0.5") == "1.0 1.5 2.0");
  CHECK(values("10ms..30ms step 10ms") == "\"10ms\" \"20ms\" \"30ms\"");
  CHECK(values("500ms..2s step 500ms") == "\"500ms\" \"1s\" \"1500ms\" \"2s\"");
  CHECK(values("1Mbit/s..3Mbit/s step 1Mbit/s") == "\"1Mbit/s\" \"2Mbit/s\" \"3Mbit/s\"");
}

TEST_CASE("a logarithmic range has its ends as written, and each value once") {
  CHECK(values("1..1000 log 4") == "1 10 100 1000");
  CHECK(values("1..1000 log 7") == "1 3 10 32 100 316 1000");
  CHECK(values("1..3 log 9") == "1 2 3");
  CHECK(values("0.01..1.0 log 3") == "0.01 0.1 1.0");
  CHECK(values("10ms..1s log 3") == "\"10ms\" \"100ms\" \"1s\"");
  CHECK(values("10ms..1s log 4") == "\"10ms\" \"46420us\" \"215400us\" \"1s\"");
}

TEST_CASE("a value that does not begin with a number and two dots is no range") {
  for (const char* text :
       {"", "..", "../data/trace.csv", "weibull", "5", "2.5", "v1..2", "2011/x..y"})
    CHECK(values(text) == "-");
}

TEST_CASE("a wrong range is refused with the error") {
  const auto says = [](const std::string& text, const std::string& words) {
    CAPTURE(text);
    CAPTURE(refusal(text));
    CHECK(refusal(text).find(words) != std::string::npos);
  };
  says("20..3", "it ends below its beginning");
  says("3..x", "\"x\" is no number");
  says("1..", "\"\" is no number");
  says("0.1..0.9", "only whole numbers follow one another by themselves");
  says("1s..2s", "only whole numbers follow one another by themselves");
  says("1..10 step 0", "its step must be above 0");
  says("1..10 step -1", "its step must be above 0");
  says("1..10 step", "it goes on as");
  says("1..10 by 2", "it goes on as");
  says("1..10 step 2 3", "it goes on as");
  says("1..2s", "its ends are not of one kind");
  says("1s..2s step 1", "its step is not of the kind of its ends");
  says("1..10 step 1s", "its step is not of the kind of its ends");
  says("0..10 log 3", "a logarithmic one begins above 0");
  says("1..10 log 1", "the count after \"log\"");
  says("1..10 log 2.5", "the count after \"log\"");
  says("1..1000000", "it has more than 10000 values");
}

}  // namespace rhizome::scenarios::range_test
