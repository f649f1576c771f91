// The words and exit statuses that tools/README.md explains are those that the program uses.
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "scenarios/outcome/validity.hpp"
#include "test/support/temporary_file.hpp"
#include "tools/agree/agreement.hpp"
#include "tools/cli/command.hpp"
#include "tools/compare/compare.hpp"
#include "tools/compare/judgement.hpp"

namespace rhizome::readme_tables_test {

using namespace tools;

namespace {

std::string content(const std::string& path) {
  std::ifstream in(test::shipped(path), std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The text between two headings.
std::string section(const std::string& heading) {
  const std::string page = content("tools/README.md");
  const std::size_t begin = page.find("## " + heading + "\n");
  REQUIRE(begin != std::string::npos);
  return page.substr(begin, page.find("\n## ", begin) - begin);
}

// The rows of its tables without their heads: the rest of each row by its first cell.
std::map<std::string, std::string> rows_of(const std::string& text) {
  std::map<std::string, std::string> rows;
  std::istringstream lines(text);
  std::string before;
  for (std::string line; std::getline(lines, line); before = line) {
    if (!line.starts_with("| ") || !before.starts_with("|")) continue;
    const std::size_t end = line.find(" | ");
    rows[line.substr(2, end - 2)] = line.substr(end + 3);
  }
  return rows;
}

// Several words may share a row.
bool explains(const std::map<std::string, std::string>& rows, std::string_view word) {
  return std::any_of(rows.begin(), rows.end(), [&](const auto& row) {
    return (", " + row.first + ",").find(", " + std::string(word) + ",") != std::string::npos;
  });
}

}  // namespace

TEST_CASE("the table of exit statuses has every status that a command may end with, and no other") {
  std::vector<std::string> statuses;
  for (const auto& [status, meaning] : exit_meanings())
    statuses.push_back(std::to_string(static_cast<int>(status)));
  std::vector<std::string> explained;
  for (const auto& [status, rest] : rows_of(section("Exit status"))) explained.push_back(status);
  std::sort(statuses.begin(), statuses.end());
  CHECK(explained == statuses);
}

TEST_CASE("every status of the source has its meaning") {
  const std::string source = content("tools/cli/command.hpp");
  const std::size_t begin = source.find("enum class Exit");
  const std::string list = source.substr(begin, source.find("};", begin) - begin);
  CHECK(std::count(list.begin(), list.end(), '=') ==
        static_cast<std::ptrdiff_t>(exit_meanings().size()));
  for (const auto& [status, meaning] : exit_meanings())
    CHECK(list.find("= " + std::to_string(static_cast<int>(status))) != std::string::npos);
}

TEST_CASE("every word of a verdict is explained") {
  const auto figures = rows_of(section("The figures"));
  for (const char* word : {"better", "worse", "n/a"}) CHECK(explains(figures, word));
  for (const Verdict verdict : {Verdict::less, Verdict::more, Verdict::not_distinguishable,
                                Verdict::too_few, Verdict::not_comparable})
    CHECK_MESSAGE(explains(figures, name_of(verdict)), name_of(verdict));
  for (const Standing standing :
       {Standing::holds, Standing::fails, Standing::not_distinguishable, Standing::inconclusive})
    CHECK_MESSAGE(explains(figures, name_of(standing)), name_of(standing));
  for (const Equivalence one : {Equivalence::inapplicable, Equivalence::equivalent,
                                Equivalence::too_wide, Equivalence::different})
    CHECK_MESSAGE(explains(figures, name_of(one)), name_of(one));
  const auto validity = rows_of(section("Whether to believe it"));
  for (const auto level :
       {Validity::Level::valid, Validity::Level::suspect, Validity::Level::invalid})
    CHECK_MESSAGE(explains(validity, scenarios::name_of(level)), scenarios::name_of(level));
}

}  // namespace rhizome::readme_tables_test
