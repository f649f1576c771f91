#include "core/child/exchangeable_program.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "core/child/child.hpp"
#include "test/support/temporary_directory.hpp"

namespace rhizome::exchangeable_program_test {

namespace fs = std::filesystem;
using core::Result;

TEST_CASE("a job's program that others can exchange by now is not begun") {
  const test::TemporaryDirectory directory;
  const fs::path tool = directory.path() / "tool";
  std::ofstream(tool) << "#!/bin/sh\n";
  const auto result = [&](bool links) {
    Result end;
    core::Child child({.words = {tool.string()}, .links = links});
    child.begin([&end](Result given) { end = std::move(given); });
    return end;
  };
  fs::permissions(tool, fs::perms::owner_all);
  CHECK_FALSE(core::is_exchangeable_program(tool.string()));
  CHECK(result(false).verdict == Result::Verdict::right);
  fs::permissions(tool, fs::perms::all);
  CHECK(core::is_exchangeable_program(tool.string()));
  CHECK(result(false).value == "not begun: other users could exchange " + tool.string());
  CHECK(result(false).verdict == Result::Verdict::wrong);
  CHECK(result(true).verdict == Result::Verdict::right);  // a scenario's, which is the user's own
}

TEST_CASE("a program beside which others may put modules is exchangeable, sticky or not") {
  const test::TemporaryDirectory directory;
  const fs::path folder = directory.path() / "shared";
  fs::create_directory(folder);
  std::ofstream(folder / "tool.py") << "import json\n";
  fs::permissions(folder / "tool.py", fs::perms::owner_all);
  fs::permissions(folder, fs::perms(0755));
  CHECK_FALSE(core::is_exchangeable_program((folder / "tool.py").string()));
  fs::permissions(folder, fs::perms(01777));
  CHECK(core::is_exchangeable_program((folder / "tool.py").string()));
}

TEST_CASE("a folder of PATH behind a link that others may exchange gives exchangeable programs") {
  const test::TemporaryDirectory directory;
  const fs::path shared = directory.path() / "shared";
  const fs::path mine = directory.path() / "mine";
  for (const fs::path& folder : {shared, mine}) {
    fs::create_directory(folder);
    fs::permissions(folder, fs::perms(0755));
  }
  fs::create_directory_symlink(mine, shared / "tools");
  const std::string before = std::getenv("PATH");
  setenv("PATH", ((shared / "tools").string() + ":.").c_str(), 1);
  CHECK_FALSE(core::is_exchangeable_program("absent"));
  fs::permissions(shared, fs::perms::all);
  CHECK(core::is_exchangeable_program("absent"));
  setenv("PATH", before.c_str(), 1);
}

}  // namespace rhizome::exchangeable_program_test
