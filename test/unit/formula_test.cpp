#include "scenarios/text/formula.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "core/peer/rng.hpp"
#include "scenarios/text/delimited.hpp"
#include "scenarios/text/input_error.hpp"
#include "test/support/temporary_file.hpp"

namespace rhizome::formula_test {

namespace {

using scenarios::DelimitedRow;
using scenarios::Formula;
using scenarios::FormulaError;
using scenarios::InputError;
using scenarios::TableRow;

const std::vector<std::string> names{"a", "b", "text", "run time", "when"};

// A line of a table, which formulas are computed of.
class Line {
 public:
  explicit Line(const std::string& text) : file_(text + "\n"), lines_(file_.name()) {
    std::string_view line;
    REQUIRE(lines_.next(line));
    row_.read(lines_, line);
  }
  [[nodiscard]] TableRow row() const { return {lines_, row_.fields(), names}; }

 private:
  test::TemporaryFile file_;
  scenarios::Lines lines_;
  DelimitedRow row_;
};

const std::string usual = "3,4,it is,0.5,2024-05-17 08:30:00.25";

double number(const std::string& formula, const std::string& line = usual) {
  return Formula(formula, Formula::Gives::number, names).number(Line(line).row());
}
bool truth(const std::string& formula, const std::string& line = usual) {
  return Formula(formula, Formula::Gives::truth, names).truth(Line(line).row());
}

// The error in a formula.
std::string refused(const std::string& formula, Formula::Gives gives = Formula::Gives::number,
                    const std::vector<std::string>& columns = names) {
  try {
    (void)Formula(formula, gives, columns);
  } catch (const FormulaError& error) {
    return error.what();
  }
  return "nothing";
}

// The error in a line for the formula, with its place.
std::string broken(const std::string& formula, const std::string& line) {
  try {
    (void)number(formula, line);
  } catch (const InputError& error) {
    const std::string text = error.what();
    return text.substr(text.find(":1:") + 1);
  }
  return "nothing";
}

}  // namespace

TEST_CASE("a formula is computed as in school: products first, from left to right") {
  CHECK(number("a + b * 2") == 11);
  CHECK(number("(a + b) * 2") == 14);
  CHECK(number("12 / b / a") == 1);
  CHECK(number("10 - b - a") == 3);
  CHECK(number("-a + -(-b)") == 1);
  CHECK(number("a * `run time` / 1.5e-1") == doctest::Approx(10));
  CHECK(number("$2") == 4);
  CHECK(number(" .5") == 0.5);
}

TEST_CASE("formulas have a few functions") {
  CHECK(number("ceil(b / a) + floor(b / a)") == 3);
  CHECK(number("abs(a - b)") == 1);
  CHECK(number("max(a, b, 10)") == 10);
  CHECK(number("min(a, b)") == 3);
  CHECK(number("date(when)") == 1'715'934'600.25);
  CHECK(number("date('1970-01-02')") == 86'400);
  CHECK(number("date('1970-01-01T00:01:00Z')") == 60);
}

TEST_CASE("a formula that is true or false compares numbers as numbers, and texts as texts") {
  CHECK(truth("a < b && !(a == b)"));
  CHECK(truth("a >= 3 && a <= 3 && a != 4"));
  CHECK(truth("a > b || text == \"it is\""));
  CHECK_FALSE(truth("text != 'it is'"));
  CHECK(truth("a == 3", "3.0,4,x,1,x"));
  CHECK_FALSE(truth("a == '3'", "3.0,4,x,1,x"));
  CHECK(truth("a == 1 || a == 3 && b == 4"));
  CHECK_FALSE(truth("(a == 1 || a == 3) && b == 5"));
}

TEST_CASE("a wrong formula is refused with its place") {
  CHECK(refused("") == "at the end of the formula: a number, a text, a column or ( is expected");
  CHECK(refused("a +") == "at the end of the formula: a number, a text, a column or ( is expected");
  CHECK(refused("a b") == "at character 3: an operator, or the end of the formula, is expected");
  CHECK(refused("(a") == "at the end of the formula: ) is expected");
  CHECK(refused("a + 'x'") == "at character 5: a number is expected here");
  CHECK(refused("a && b", Formula::Gives::truth) ==
        "at character 1: a comparison is expected here");
  CHECK(refused("a < b < 3", Formula::Gives::truth) ==
        "at character 7: comparisons are joined by && or ||");
  CHECK(refused("a < b") == "the formula must give a number");
  CHECK(refused("a", Formula::Gives::truth) ==
        "the formula must be true or false, as a comparison is");
  CHECK(refused("sqrt(a)").starts_with("at character 1: there is no function \"sqrt\""));
  CHECK(refused("tex") == "there is no column \"tex\"; did you mean \"text\"?");
  CHECK(refused("$6") == "there is no column $6: there are 5");
  CHECK(refused("$0").ends_with("is no column: the first one is $1"));
  CHECK(refused("a", Formula::Gives::number, {}) ==
        "there is no column \"a\": columns without names are $1, $2 and so on");
  CHECK(refused("2nd").starts_with("at character 1: a column whose name begins with a digit"));
  CHECK(refused("text == \"x", Formula::Gives::truth).ends_with("is not closed"));
  CHECK(refused(std::string(5000, '(')) == "a formula has at most 300 characters");
  CHECK(refused(std::string(290, '(')).ends_with("the formula is nested too deeply"));
  CHECK(refused(std::string(290, '-') + "a").ends_with("the formula is nested too deeply"));
}

TEST_CASE("a field that a formula cannot use is refused with its column") {
  CHECK(broken("a + b", "1,x,,,") == "1:3: b must be a number, not \"x\"");
  CHECK(broken("a / b", "1,0,,,") == "1:1: \"a / b\" is no finite number");
  CHECK(broken("date(when)", "1,2,3,4,17.5.2024") ==
        "1:9: when must be a date such as \"2024-05-17 08:30:00\", without a time zone");
  for (const std::string date : {"2024-02-30", "2024-05-17 24:00:00", "2024-05-17 08:30:00+02:00",
                                 "2024-05-17 8:30", "2024-05-17 08:30:", "24-05-17"})
    CHECK(broken("date(when)", "1,2,3,4," + date).starts_with("1:9: when must be a date"));
}

TEST_CASE("whatever a formula is, it is read or refused") {
  const std::vector<std::string> words{"a",  "b",  "$1", "(",  ")",     "+",    "-",    "*", "/",
                                       "==", "<",  "&&", "||", "!",     "'x'",  "max(", ",", "1e3",
                                       "`",  "\"", ".",  " ",  "date(", "\xff", "$"};
  std::size_t read = 0;
  for (std::uint64_t seed = 0; seed < 20'000; ++seed) {
    core::Rng rng(seed);
    std::string text;
    for (std::uint64_t i = 0, count = 1 + rng.below(9); i < count; ++i)
      text += words[rng.below(words.size())];
    const auto gives = rng.chance(0.5) ? Formula::Gives::number : Formula::Gives::truth;
    try {
      const Formula formula(text, gives, names);
      ++read;
      const Line line(usual);
      if (gives == Formula::Gives::number) {
        (void)formula.number(line.row());
      } else {
        (void)formula.truth(line.row());
      }
    } catch (const FormulaError&) {
    } catch (const InputError&) {
    }
  }
  CHECK(read > 100);
}

}  // namespace rhizome::formula_test
