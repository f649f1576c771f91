// Processes that meet in a directory, whatever else is in it.
#include "core/mesh/rendezvous_directory.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <future>

#include "test/support/temporary_directory.hpp"
#include "test/support/temporary_file.hpp"

namespace rhizome::core::rendezvous_directory_test {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using test::TemporaryDirectory;

namespace {

RendezvousDirectory::Options process(std::uint32_t rank, std::uint32_t size, const fs::path& where,
                                     const std::string& session = "") {
  return {.directory = where,
          .place = {.launcher = "srun", .rank = rank, .size = size, .session = session},
          .patience = 60ms};
}

std::string refusal(const RendezvousDirectory::Options& options) {
  try {
    RendezvousDirectory rendezvous(options);
    static_cast<void>(rendezvous.gather("a descriptor"));
  } catch (const Unreachable& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("all get the descriptors of all, by rank, and no other user can read them") {
  const TemporaryDirectory root;
  const fs::path where = root.path() / "meet";
  const auto come = [&](std::uint32_t rank) {
    auto options = process(rank, 3, where, "17.0");
    options.patience = 30s;
    RendezvousDirectory rendezvous(options);
    return rendezvous.gather("descriptor of " + std::to_string(rank) + std::string(1, '\0'));
  };
  auto second = std::async(std::launch::async, come, 2);
  auto first = std::async(std::launch::async, come, 1);
  const std::vector<std::string> descriptors = come(0);
  CHECK(descriptors == first.get());
  CHECK(descriptors == second.get());
  REQUIRE(descriptors.size() == 3);
  CHECK(descriptors[2] == std::string("descriptor of 2\0", 16));
  struct stat is {};
  for (const fs::path& directory : {where, where / "17.0"}) {
    REQUIRE(stat(directory.c_str(), &is) == 0);
    CHECK((is.st_mode & 0777) == 0700);
  }
  REQUIRE(stat((where / "17.0" / "descriptor-1").c_str(), &is) == 0);
  CHECK((is.st_mode & 0777) == 0600);
  CHECK(std::distance(fs::directory_iterator(where / "17.0"), fs::directory_iterator()) == 3);
}

TEST_CASE("a missing process is named after a bounded time") {
  const TemporaryDirectory root;
  CHECK(refusal(process(1, 3, root.path() / "d"))
            .ends_with(": processes 0, 2 of 3 have not come within 0.06 s, and 1 has"));
  RendezvousDirectory::Options launched = process(1, 2, root.path() / "e");
  launched.place.hosts = "h[1-2]";
  CHECK(refusal(launched).ends_with("and 1 has; all were begun on h[1-2]"));
}

TEST_CASE("a directory that others may enter is no rendezvous, nor is a link to one") {
  const TemporaryDirectory root;
  const fs::path open = root.path() / "open";
  fs::create_directory(open);
  fs::permissions(open, fs::perms::owner_all | fs::perms::group_exec);
  CHECK(refusal(process(0, 1, open)).find("others may enter it") != std::string::npos);
  CHECK(refusal(process(0, 1, open, "17.0")).find("others may enter it") != std::string::npos);
  fs::permissions(open, fs::perms::owner_all);
  CHECK(refusal(process(0, 1, open)) == "accepted");
  fs::create_directory_symlink(open, root.path() / "link");
  CHECK(refusal(process(0, 1, root.path() / "link")).find("cannot be opened") != std::string::npos);
  CHECK(refusal(process(0, 1, root.path() / "absent" / "d")).find("cannot be made") !=
        std::string::npos);
}

TEST_CASE("descriptors of an earlier run are not taken for those of this one") {
  const TemporaryDirectory root;
  const fs::path where = root.path() / "d";
  CHECK(refusal(process(0, 1, where)) == "accepted");
  CHECK(refusal(process(0, 1, where))
            .ends_with(
                "process 0 has been there before: each run needs an empty directory of its own"));
  CHECK(std::distance(fs::directory_iterator(where), fs::directory_iterator()) == 1);
}

TEST_CASE("a descriptor that is not a file of the user, or a huge one, is refused") {
  const TemporaryDirectory root;
  const fs::path where = root.path() / "d";
  fs::create_directory(where);
  fs::permissions(where, fs::perms::owner_all);
  const std::ofstream secret(root.path() / "secret");
  fs::create_symlink(root.path() / "secret", where / "descriptor-1");
  CHECK(refusal(process(0, 2, where)).ends_with("descriptor-1 is no file of yours"));
  fs::remove(where / "descriptor-0");
  fs::remove(where / "descriptor-1");
  REQUIRE(mkfifo((where / "descriptor-1").c_str(), 0600) == 0);
  CHECK(refusal(process(0, 2, where)).ends_with("descriptor-1 is no file of yours"));
  fs::remove(where / "descriptor-0");
  fs::remove(where / "descriptor-1");
  std::ofstream(where / "descriptor-1") << std::string(70'000, 'x');
  CHECK(refusal(process(0, 2, where)).ends_with("descriptor-1 cannot be read"));
  if (geteuid() != 0) return;
  fs::remove(where / "descriptor-0");
  std::ofstream(where / "descriptor-1") << "a descriptor";
  REQUIRE(chown((where / "descriptor-1").c_str(), 1, 1) == 0);
  CHECK(refusal(process(0, 2, where)).ends_with("descriptor-1 is no file of yours"));
}

}  // namespace rhizome::core::rendezvous_directory_test
