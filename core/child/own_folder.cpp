#include "core/child/own_folder.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>

namespace rhizome::core {

namespace fs = std::filesystem;

namespace {

// The first of these folders, from the innermost, whose entries another user could replace.
std::optional<fs::path> open_above(fs::path at) {
  const auto trusted = [](uid_t owner) { return owner == 0 || owner == geteuid(); };
  for (;; at = at.parent_path()) {
    struct stat link {};
    struct stat folder {};
    if (lstat(at.c_str(), &link) == 0 && stat(at.c_str(), &folder) == 0) {
      const bool writable = (folder.st_mode & 022U) != 0 && (folder.st_mode & S_ISVTX) == 0;
      if (writable || !trusted(link.st_uid) || !trusted(folder.st_uid)) return at;
    }
    if (at == at.root_path()) return {};
  }
}

}  // namespace

std::optional<fs::path> open_to_others(const fs::path& place) {
  const fs::path folder = fs::absolute(place).parent_path();
  if (const auto open = open_above(folder)) return open;
  std::error_code ignored;
  const fs::path real = fs::weakly_canonical(folder, ignored);
  return real.empty() || real == folder ? std::nullopt : open_above(real);
}

fs::path temporary_folder() {
  std::error_code error;
  const fs::path folder = fs::temp_directory_path(error);
  if (error) throw NoFolder("there is no folder of temporary files: set TMPDIR to one");
  if (const auto open = open_to_others(folder / "file"))
    throw NoFolder("other users may exchange what stands in " + open->string() +
                   ": set TMPDIR to a directory of your own");
  return folder;
}

OwnFolder::OwnFolder() {
  const fs::path folder = temporary_folder();
  std::string name = (folder / "rhizome-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr)
    throw NoFolder("cannot make a folder in " + folder.string() + ": " +
                   std::generic_category().message(errno));
  path_ = name;
}

OwnFolder::~OwnFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace rhizome::core
