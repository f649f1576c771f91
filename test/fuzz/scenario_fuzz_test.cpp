#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "core/peer/rng.hpp"
#include "scenarios/format/effective.hpp"
#include "scenarios/format/parser.hpp"
#include "test/support/damaged.hpp"
#include "test/support/temporary_file.hpp"

namespace rhizome::scenario_fuzz_test {

namespace {

using core::Rng;

std::uint64_t runs() {
  const char* wish = std::getenv("RHIZOME_FUZZ_RUNS");
  return wish == nullptr ? 10'000 : std::strtoull(wish, nullptr, 10);
}

// The scenarios that are shipped.
std::vector<std::string> corpus() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(test::shipped("scenarios")))
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<std::string> texts;
  for (const auto& file : files) {
    std::ifstream in(file, std::ios::binary);
    texts.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  return texts;
}

// Words that mean something in a scenario, put at wrong places.
const std::vector<std::string> words{"[",
                                     "]",
                                     "\"",
                                     "=",
                                     "[[scheduler]]\n",
                                     "-1",
                                     "1e999",
                                     "nan",
                                     "\"5parsecs\"",
                                     "0",
                                     "true",
                                     "[1,",
                                     "9999999999999999999",
                                     "a.b.c.d.e = 1\n",
                                     "\n",
                                     "#",
                                     "'''",
                                     "\\u0000"};

// "FILE:LINE:COLUMN: sentence", both numbers from 1.
bool has_position(const std::string& what) {
  const std::string file = test::shipped("scenarios/fuzzed.toml:");
  if (!what.starts_with(file)) return false;
  std::size_t line = 0;
  std::size_t column = 0;
  int end = 0;
  const int found = std::sscanf(what.c_str() + file.size(), "%zu:%zu: %n", &line, &column, &end);
  return found == 2 && end > 0 && line > 0 && column > 0 &&
         file.size() + static_cast<std::size_t>(end) < what.size();
}

}  // namespace

TEST_CASE("every mutated scenario is accepted or refused with a position") {
  const std::vector<std::string> texts = corpus();
  REQUIRE_FALSE(texts.empty());
  std::uint64_t accepted = 0;
  for (std::uint64_t seed = 0; seed < runs(); ++seed) {
    CAPTURE(seed);
    Rng rng(seed);
    const std::string text = test::damaged(texts[rng.below(texts.size())], rng, words);
    try {
      const auto cells = scenarios::parse_scenario(text, test::shipped("scenarios/fuzzed.toml"));
      REQUIRE_FALSE(cells.empty());
      ++accepted;
    } catch (const scenarios::InputError& error) {
      const std::string what = error.what();
      if (!has_position(what)) FAIL(what);
    }
  }
  CHECK(accepted > 0);
  CHECK(accepted < runs());
}

TEST_CASE("every shipped scenario parses, and its effective form means the same") {
  for (const auto& entry : std::filesystem::directory_iterator(test::shipped("scenarios"))) {
    if (entry.path().extension() != ".toml") continue;
    CAPTURE(entry.path().string());
    const auto cells = scenarios::load_scenario(entry.path());
    const std::string effective = scenarios::effective_toml(cells.front().scenario);
    const auto again = scenarios::parse_scenario(effective, "effective.toml");
    REQUIRE(again.size() == 1);
    CHECK(scenarios::effective_toml(again.front().scenario) == effective);
  }
}

}  // namespace rhizome::scenario_fuzz_test
