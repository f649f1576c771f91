#include "tools/monitor/registry.hpp"

#include <doctest/doctest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdlib>
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

struct Place {
  test::TemporaryDirectory directory;
  Registry registry{directory.path() / "rhizome"};

  [[nodiscard]] RegisteredRun some_run(std::uint64_t process, const std::string& began) const {
    return {.process = process,
            .scenario = "small",
            .began = began,
            .directory = "/runs/small-1",
            .endpoint = registry.endpoint(process)};
  }
  // An entry that no process holds.
  void leave(const std::string& name, const std::string& endpoint) const {
    std::ofstream(registry.directory() / name)
        << R"({"pid": 99, "scenario": "dead", "began": "", "directory": "", "endpoint": ")"
        << endpoint << "\"}";
  }
  void make_socket(const std::string& name) const {
    sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
    const std::string path = (registry.directory() / name).string();
    path.copy(address.sun_path, sizeof(address.sun_path) - 1);
    const int made = socket(AF_UNIX, SOCK_STREAM, 0);
    REQUIRE(bind(made, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
    close(made);
  }
  [[nodiscard]] bool has(const std::string& name) const {
    return fs::exists(fs::symlink_status(registry.directory() / name));
  }
};

}  // namespace

TEST_CASE("runs are found while they hold their entry, the newest first, and not after") {
  const Place place;
  CHECK(place.registry.runs().empty());
  place.registry.make();
  std::optional<Registration> first(std::in_place, place.registry, place.some_run(7, "2026-01-01"));
  const Registration second(place.registry, place.some_run(5, "2026-01-02"));
  const auto runs = place.registry.runs();
  REQUIRE(runs.size() == 2);
  CHECK(runs[0] == place.some_run(5, "2026-01-02"));
  CHECK(runs[1] == place.some_run(7, "2026-01-01"));
  CHECK(place.registry.holds(7));
  first.reset();
  CHECK_FALSE(place.registry.holds(7));
  CHECK(place.registry.runs().size() == 1);
}

TEST_CASE("the entry of a run that died is removed by the next reader, with its socket") {
  const Place place;
  place.registry.make();
  place.leave("99.json", place.registry.endpoint(99));
  place.make_socket("99.sock");
  CHECK(place.registry.runs().empty());
  CHECK(fs::is_empty(place.registry.directory()));
}

TEST_CASE("a file that is no entry of a run is neither read nor removed") {
  const Place place;
  place.registry.make();
  place.leave("notes.json", place.registry.endpoint(99));  // no number
  place.leave("098.json", place.registry.endpoint(99));    // not as numbers are written
  place.leave("98.json", place.registry.endpoint(99));     // of another process
  place.leave("99.json", "tcp://192.0.2.1:80");            // another machine's
  std::ofstream(place.registry.directory() / "97.json") << "no JSON";
  std::ofstream(place.registry.directory() / "96.json") << R"({"pid": 96, "scenario": "dead"})";
  std::ofstream(place.directory.path() / "own.json") << "own";
  fs::create_symlink(place.directory.path() / "own.json", place.registry.directory() / "95.json");
  REQUIRE(mkfifo((place.registry.directory() / "94.json").c_str(), 0600) == 0);
  for (const char* file : {"99.sock", "98.sock", "95.sock"})
    std::ofstream(place.registry.directory() / file) << "own";
  CHECK(place.registry.runs().empty());
  for (const char* name : {"notes.json", "098.json", "98.json", "99.json", "97.json", "96.json",
                           "95.json", "94.json", "99.sock", "98.sock", "95.sock"}) {
    CAPTURE(name);
    CHECK(place.has(name));
  }
}

TEST_CASE("only the entry and the socket of a dead run are removed") {
  const Place place;
  place.registry.make();
  place.leave("99.json", place.registry.endpoint(99));
  std::ofstream(place.registry.directory() / "99.sock") << "own";
  CHECK(place.registry.runs().empty());
  CHECK_FALSE(place.has("99.json"));
  CHECK(place.has("99.sock"));
}

TEST_CASE("a live entry that leads elsewhere is not believed") {
  const Place place;
  place.registry.make();
  RegisteredRun run = place.some_run(99, "2026");
  run.endpoint = "tcp://192.0.2.1:80";
  const Registration elsewhere(place.registry, run);
  CHECK(place.registry.runs().empty());
  CHECK_FALSE(place.registry.holds(99));
}

TEST_CASE("a registry that others made is not read, and nothing of it is removed") {
  const Place place;
  place.registry.make();
  place.leave("99.json", place.registry.endpoint(99));
  fs::permissions(place.registry.directory(), fs::perms::all);
  CHECK(place.registry.runs().empty());
  CHECK_FALSE(place.registry.holds(99));
  REQUIRE(place.registry.objection());
  CHECK(place.registry.objection()->find("not this user's alone") != std::string::npos);
  CHECK(place.has("99.json"));
  fs::permissions(place.registry.directory(), fs::perms::owner_all);
  const Registry linked(place.directory.path() / "linked");
  fs::create_directory_symlink(place.registry.directory(), linked.directory());
  CHECK(linked.runs().empty());
  REQUIRE(linked.objection());
  CHECK(place.has("99.json"));
}

TEST_CASE("control characters of an entry are escaped, and an unreadable entry is ignored") {
  const Place place;
  place.registry.make();
  const Registration odd(place.registry, place.some_run(1, "\x1b[2J2026"));
  const Registration other(place.registry, place.some_run(2, "2026"));
  std::ofstream(place.registry.directory() / "2.json") << "no JSON";  // the entry stays locked
  const auto runs = place.registry.runs();
  REQUIRE(runs.size() == 1);
  CHECK(runs[0].began == "\\x1b[2J2026");
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

TEST_CASE("a registry that other users may exchange for another is neither made nor read") {
  const Place place;
  place.registry.make();
  place.leave("99.json", place.registry.endpoint(99));
  const fs::perms all = fs::perms::owner_all | fs::perms::group_all | fs::perms::others_all;
  fs::permissions(place.directory.path(), all);
  REQUIRE(place.registry.objection());
  CHECK(place.registry.objection()->find("other users may exchange") != std::string::npos);
  CHECK(place.registry.runs().empty());
  CHECK_FALSE(place.registry.holds(99));
  CHECK(place.has("99.json"));
  CHECK_THROWS_AS(Registry(place.directory.path() / "other").make(), NoRegistry);
  CHECK_FALSE(fs::exists(place.directory.path() / "other"));
  fs::permissions(place.directory.path(), fs::perms::owner_all);
  CHECK_FALSE(place.registry.objection());
}

TEST_CASE("a run is found whatever the name of its scenario and of its registry") {
  const test::TemporaryDirectory directory;
  const Registry registry(directory.path() / "with\ta tab");
  registry.make();
  RegisteredRun run{.process = 99,
                    .scenario = std::string(100'000, 'n'),
                    .began = "now",
                    .directory = "",
                    .endpoint = registry.endpoint(99)};
  const Registration registered(registry, run);
  REQUIRE(registry.runs().size() == 1);
  CHECK(registry.runs().front().endpoint == run.endpoint);
  CHECK(registry.runs().front().scenario == run.scenario);
}

TEST_CASE("a relative folder of temporary files, which could be an abstract socket, is not used") {
  const char* const runtime = std::getenv("XDG_RUNTIME_DIR");
  const std::string before = runtime == nullptr ? "" : runtime;
  unsetenv("XDG_RUNTIME_DIR");
  setenv("TMPDIR", "@open", 1);
  CHECK(Registry::of_user().endpoint(7).starts_with("ipc:///tmp/"));
  unsetenv("TMPDIR");
  if (!before.empty()) setenv("XDG_RUNTIME_DIR", before.c_str(), 1);
}

TEST_CASE("a path too long for a socket is refused with a remedy") {
  const Registry deep("/tmp/" + std::string(110, 'x'));
  CHECK_THROWS_WITH_AS(static_cast<void>(deep.endpoint(1)), doctest::Contains("XDG_RUNTIME_DIR"),
                       NoRegistry);
  CHECK(Registry("/run/user/1/rhizome").endpoint(12) == "ipc:///run/user/1/rhizome/12.sock");
}

}  // namespace rhizome::registry_test
