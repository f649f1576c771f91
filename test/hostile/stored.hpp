// The directory of a run, as the command itself leaves it.
#pragma once

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "test/hostile/attempt.hpp"
#include "test/hostile/values.hpp"
#include "test/support/temporary_directory.hpp"

namespace rhizome::test {

// The files of a stored run, as runs/r/NAME, of a run with these further words.
inline std::map<std::string, std::string> stored_run(const std::vector<std::string>& further = {}) {
  const TemporaryDirectory place;
  std::vector<std::string> words{"run", "s.toml", "-q"};
  words.insert(words.end(), further.begin(), further.end());
  const End end = carry_out({.words = words, .files = {{"s.toml", small_scenario}}}, place.path());
  REQUIRE(end.status <= 2);  // a busy machine may have spoilt a run on threads
  const auto run = std::filesystem::canonical(place.path() / "work" / "runs" / "latest");
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(run)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream in(entry.path(), std::ios::binary);
    files.emplace(
        "runs/r/" + entry.path().lexically_relative(run).string(),
        std::string{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()});
  }
  return files;
}

}  // namespace rhizome::test
