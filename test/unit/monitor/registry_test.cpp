#include "tools/monitor/registry.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "test/support/temporary_directory.hpp"

namespace rhizome::registry_test {

namespace fs = std::filesystem;
using tools::NoRegistry;
using tools::RegisteredRun;
using tools::Registration;
using tools::Registry;

namespace {

RegisteredRun some_run(std::uint64_t process, const std::string& began) {
  return {.process = process,
          .scenario = "small",
          .began = began,
          .directory = "/runs/small-1",
          .endpoint = "ipc:///somewhere"};
}

struct Place {
  test::TemporaryDirectory directory;
  Registry registry{directory.path() / "rhizome"};
};

}  // namespace

TEST_CASE("runs are found while they hold their entry, the newest first, and not after") {
  const Place place;
  CHECK(place.registry.runs().empty());
  place.registry.make();
  std::optional<Registration> first(std::in_place, place.registry, some_run(7, "2026-01-01"));
  const Registration second(place.registry, some_run(5, "2026-01-02"));
  const auto runs = place.registry.runs();
  REQUIRE(runs.size() == 2);
  CHECK(runs[0] == some_run(5, "2026-01-02"));
  CHECK(runs[1] == some_run(7, "2026-01-01"));
  CHECK(place.registry.holds(7));
  first.reset();
  CHECK_FALSE(place.registry.holds(7));
  CHECK(place.registry.runs().size() == 1);
}

TEST_CASE("the entry of a run that died is removed by whoever looks, with its socket") {
  const Place place;
  place.registry.make();
  const fs::path entry = place.registry.directory() / "99.json";
  std::ofstream(entry) << R"({"pid": 99, "scenario": "dead"})";
  std::ofstream(place.registry.directory() / "99.sock") << "";
  CHECK(place.registry.runs().empty());
  CHECK(fs::is_empty(place.registry.directory()));
}

TEST_CASE(
    "what an entry says is no more than text, and an entry that says nothing is passed over") {
  const Place place;
  place.registry.make();
  const Registration odd(place.registry, some_run(1, "\x1b[2J2026"));
  const Registration other(place.registry, some_run(2, "2026"));
  std::ofstream(place.registry.directory() / "2.json") << "no JSON";  // the entry stays locked
  const auto runs = place.registry.runs();
  REQUIRE(runs.size() == 1);
  CHECK(runs[0].began == "[2J2026");
}

TEST_CASE("a registry that others may enter is not used") {
  const Place place;
  place.registry.make();
  place.registry.make();
  fs::permissions(place.registry.directory(), fs::perms::owner_all | fs::perms::group_read);
  CHECK_THROWS_AS(place.registry.make(), NoRegistry);
  fs::remove(place.registry.directory());
  fs::create_directory_symlink(place.directory.path(), place.registry.directory());
  CHECK_THROWS_AS(place.registry.make(), NoRegistry);
}

TEST_CASE("a place too deep for a socket is refused with what would help") {
  const Registry deep("/tmp/" + std::string(110, 'x'));
  CHECK_THROWS_WITH_AS(static_cast<void>(deep.endpoint(1)), doctest::Contains("XDG_RUNTIME_DIR"),
                       NoRegistry);
  CHECK(Registry("/run/user/1/rhizome").endpoint(12) == "ipc:///run/user/1/rhizome/12.sock");
}

}  // namespace rhizome::registry_test
