// The directory of a run, as the command itself leaves it.
#pragma once

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include "test/hostile/attempt.hpp"
#include "test/hostile/values.hpp"
#include "test/support/temporary_directory.hpp"

namespace rhizome::test {

// Its files, as runs/r/NAME.
inline std::map<std::string, std::string> stored_run() {
  const TemporaryDirectory place;
  const End end = carry_out(
      {.words = {"run", "s.toml", "-q"}, .files = {{"s.toml", small_scenario}}}, place.path());
  REQUIRE(end.status == 0);
  std::map<std::string, std::string> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(place.path() / "work" / "runs" / "latest")) {
    std::ifstream in(entry.path(), std::ios::binary);
    files.emplace(
        "runs/r/" + entry.path().filename().string(),
        std::string{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()});
  }
  return files;
}

}  // namespace rhizome::test
