#include "core/child/own_program.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "core/child/links.hpp"
#include "core/peer/limit_exceeded.hpp"
#include "test/support/temporary_directory.hpp"

namespace rhizome::own_program_test {

using core::held_warden;
using core::LimitExceeded;
using core::open_warden;
using core::program_file;
using core::warden_program;

namespace fs = std::filesystem;

namespace {

constexpr uid_t nobody = 65534;

// A folder with a program that runs from there, as its link in /proc says.
class Place {
 public:
  [[nodiscard]] fs::path file(const std::string& name) const { return folder_.path() / name; }
  void share(fs::perms rights) const { fs::permissions(folder_.path(), rights); }
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

TEST_CASE("the warden is no other user's, nor behind a link of theirs, nor missing") {
  const Place place;
  const fs::path self = place.run("rhizome");
  const std::string warden = place.file("rhizome_warden");
  const auto is_refused = [&] {
    CHECK_THROWS_AS(static_cast<void>(open_warden(self)), LimitExceeded);
  };
  const auto is_held = [&] {
    const core::Opened held(open_warden(self));
    CHECK(held);
  };
  CHECK(warden_program(self) == warden);
  is_refused();
  place.put("rhizome_warden");
  is_held();
  if (geteuid() != 0) return;
  REQUIRE(chown(warden.c_str(), nobody, nobody) == 0);
  is_refused();
  place.put("rhizome");
  is_refused();
  REQUIRE(chown(place.file("rhizome").c_str(), nobody, nobody) == 0);  // whose program runs already
  is_held();
  fs::remove(place.file("rhizome"));
  fs::remove(warden);
  fs::create_symlink("/bin/sh", warden);
  is_held();
  REQUIRE(lchown(warden.c_str(), nobody, nobody) == 0);
  is_refused();
}

TEST_CASE("the warden that is begun is the one that was looked at") {
  CHECK(fs::equivalent(held_warden(), warden_program()));
  CHECK(held_warden() == held_warden());
}

TEST_CASE("a program that was replaced while it ran is begun again by its name") {
  const Place place;
  const fs::path self = place.run("rhizome (deleted)");
  const auto has_gone = [&] { return !fs::exists(program_file(self)); };
  CHECK(has_gone());
  place.put("rhizome");
  CHECK(program_file(self) == place.file("rhizome"));
  place.share(fs::perms::all | fs::perms::sticky_bit);
  CHECK(has_gone());
  place.share(fs::perms::owner_all);
  if (geteuid() == 0) {
    REQUIRE(chown(place.file("rhizome").c_str(), nobody, nobody) == 0);
    CHECK(has_gone());
  }
  place.put("another");
  fs::create_symlink("another", place.file("rhizome (deleted)"));
  CHECK(program_file(self) != place.file("rhizome (deleted)"));
  fs::remove(place.file("rhizome (deleted)"));
  place.put("rhizome (deleted)");
  CHECK(program_file(self) == place.file("rhizome (deleted)"));
}

}  // namespace rhizome::own_program_test
