// The file of SQLite that a run has for itself.
#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "agents/store/operation.hpp"

namespace rhizome::own_file_test {

TEST_CASE("a store of a run stands where no other user can write") {
  const std::filesystem::path file = agents::store::own_file("7");
  CHECK(agents::store::own_file("7") == file.string());
  CHECK(agents::store::own_file("8") != file.string());
  struct stat status {};
  REQUIRE(lstat(file.parent_path().c_str(), &status) == 0);
  CHECK(S_ISDIR(status.st_mode));
  CHECK((status.st_mode & 0777U) == 0700);
  CHECK(status.st_uid == geteuid());
}

}  // namespace rhizome::own_file_test
