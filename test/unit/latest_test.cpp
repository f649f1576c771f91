#include "scenarios/text/latest.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "scenarios/text/input_error.hpp"
#include "test/support/temporary_directory.hpp"

namespace rhizome::latest_test {

using scenarios::led_by_latest;
using scenarios::UnreadableFile;

namespace fs = std::filesystem;

namespace {

// A folder of runs with a run, "r", which is the latest.
struct Runs {
  test::TemporaryDirectory folder{};
  fs::path root = fs::canonical(folder.path());
  fs::path run = root / "r";
  fs::path latest = root / "latest";

  Runs() {
    fs::create_directory(run);
    fs::permissions(run, fs::perms(0755));
    std::ofstream(run / "steered.toml") << "# a scenario";
    fs::create_directory_symlink("r", latest);
  }
  // Whether the run is refused by each name that leads through `latest`, and by no other.
  [[nodiscard]] bool is_refused() const {
    int refused = 0;
    const auto lead = [&](const fs::path& path, bool is_run) {
      try {
        static_cast<void>(led_by_latest(path, is_run));
      } catch (const UnreadableFile&) {
        ++refused;
      }
    };
    lead(run, true);
    lead(run / "steered.toml", false);
    REQUIRE(refused == 0);
    lead(latest, true);
    lead(latest / "", true);
    lead(latest / "steered.toml", true);
    lead(latest / "steered.toml", false);
    REQUIRE((refused == 0 || refused == 4));
    return refused == 4;
  }
};

}  // namespace

TEST_CASE("a path leads where its links lead, and without latest it is left as it is") {
  const Runs runs;
  CHECK(led_by_latest(runs.latest, true) == runs.run);
  CHECK(led_by_latest(runs.latest / "steered.toml", false) == runs.run / "steered.toml");
  CHECK(led_by_latest("/dev/fd/0", false) == "/dev/fd/0");
  CHECK_FALSE(runs.is_refused());
}

TEST_CASE("nothing is read by the name latest that others may exchange, or that is another's") {
  const Runs open;
  fs::permissions(open.run, fs::perms::all);
  CHECK(open.is_refused());
  if (geteuid() != 0) return;  // only root may change an owner
  const Runs run_of_another;
  REQUIRE(chown(run_of_another.run.c_str(), 65534, 65534) == 0);
  CHECK(run_of_another.is_refused());
  const Runs link_of_another;
  REQUIRE(lchown(link_of_another.latest.c_str(), 65534, 65534) == 0);
  CHECK(link_of_another.is_refused());
}

TEST_CASE(
    "another user's run behind a link of any name is not read, though the link is one's own") {
  if (geteuid() != 0) return;
  const Runs runs;
  fs::create_directory_symlink("r", runs.root / "mine");
  CHECK(led_by_latest(runs.root / "mine", true) == runs.run);
  REQUIRE(lchown((runs.root / "mine").c_str(), 65534, 65534) == 0);
  for (const fs::path& name : {runs.root / "mine", runs.root / "mine" / ""})
    CHECK_THROWS_AS(static_cast<void>(led_by_latest(name, true)), UnreadableFile);
  REQUIRE(lchown((runs.root / "mine").c_str(), 0, 0) == 0);
  REQUIRE(chown(runs.run.c_str(), 65534, 65534) == 0);
  CHECK_THROWS_AS(static_cast<void>(led_by_latest(runs.root / "mine", true)), UnreadableFile);
}

}  // namespace rhizome::latest_test
