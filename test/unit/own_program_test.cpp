#include "core/child/own_program.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "core/peer/limit_exceeded.hpp"
#include "test/support/temporary_directory.hpp"

namespace rhizome::own_program_test {

using core::LimitExceeded;
using core::program_file;
using core::warden_program;

namespace fs = std::filesystem;

namespace {

constexpr uid_t nobody = 65534;

// A folder with a program that runs from there, as its link in /proc says.
class Place {
 public:
  [[nodiscard]] fs::path file(const std::string& name) const { return folder_.path() / name; }
  void put(const std::string& name) const { std::ofstream(file(name)) << ""; }
  // The link to the file that runs.
  [[nodiscard]] fs::path run(const std::string& name) const {
    const fs::path self = file("exe");
    fs::remove(self);
    fs::create_symlink(file(name), self);
    return self;
  }

 private:
  const test::TemporaryDirectory folder_;
};

}  // namespace

TEST_CASE("the warden is the one beside this program, or there is none") {
  CHECK(fs::exists(warden_program()));
  CHECK_THROWS_AS(static_cast<void>(warden_program("/proc/none/exe")), LimitExceeded);
}

TEST_CASE("the warden is no other user's, nor behind a link of theirs") {
  if (geteuid() != 0) return;
  const Place place;
  const fs::path self = place.run("rhizome");
  const std::string warden = place.file("rhizome_warden");
  CHECK(warden_program(self) == warden);
  place.put("rhizome_warden");
  CHECK(warden_program(self) == warden);
  REQUIRE(chown(warden.c_str(), nobody, nobody) == 0);
  CHECK_THROWS_AS(static_cast<void>(warden_program(self)), LimitExceeded);
  place.put("rhizome");
  CHECK_THROWS_AS(static_cast<void>(warden_program(self)), LimitExceeded);
  REQUIRE(chown(place.file("rhizome").c_str(), nobody, nobody) == 0);  // whose program runs already
  CHECK(warden_program(self) == warden);
  fs::remove(place.file("rhizome"));
  fs::remove(warden);
  fs::create_symlink("/bin/sh", warden);
  CHECK(warden_program(self) == warden);
  REQUIRE(lchown(warden.c_str(), nobody, nobody) == 0);
  CHECK_THROWS_AS(static_cast<void>(warden_program(self)), LimitExceeded);
}

TEST_CASE("a program that was replaced while it ran is begun again by its name") {
  const Place place;
  const fs::path self = place.run("rhizome (deleted)");
  CHECK(program_file(self) == place.file("rhizome"));
  place.put("rhizome");
  CHECK(program_file(self) == place.file("rhizome"));
  if (geteuid() == 0) {
    REQUIRE(chown(place.file("rhizome").c_str(), nobody, nobody) == 0);
    CHECK(program_file(self) == place.file("rhizome (deleted)"));
  }
  place.put("rhizome (deleted)");
  CHECK(program_file(self) == place.file("rhizome (deleted)"));
}

}  // namespace rhizome::own_program_test
