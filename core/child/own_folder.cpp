#include "core/child/own_folder.hpp"

#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>

namespace rhizome::core {

namespace fs = std::filesystem;

namespace {

// The group of this user alone, if there is one.
std::optional<gid_t> own_group() {
  const struct passwd* user = getpwuid(geteuid());
  if (user == nullptr) return {};
  const std::string name = user->pw_name;
  const gid_t number = user->pw_gid;
  const struct group* group = getgrgid(number);
  if (group == nullptr || name != group->gr_name) return {};
  for (char** member = group->gr_mem; *member != nullptr; ++member)
    if (name != *member) return {};
  return number;
}

bool others_write(const struct stat& folder) {
  static const std::optional<gid_t> own = own_group();
  return (folder.st_mode & S_IWOTH) != 0 ||
         ((folder.st_mode & S_IWGRP) != 0 && folder.st_gid != own);
}

bool is_trusted(uid_t owner) { return owner == 0 || owner == geteuid(); }

// The first of these folders, from the innermost, whose entries another user could replace.
std::optional<fs::path> open_above(fs::path at) {
  for (;; at = at.parent_path()) {
    struct stat link {};
    struct stat folder {};
    if (lstat(at.c_str(), &link) == 0 && stat(at.c_str(), &folder) == 0) {
      const bool writable = others_write(folder) && (folder.st_mode & S_ISVTX) == 0;
      if (writable || !is_trusted(link.st_uid) || !is_trusted(folder.st_uid)) return at;
    }
    if (at == at.root_path()) return {};
  }
}

}  // namespace

bool others_may_write(const fs::path& folder) {
  struct stat status {};
  return stat(folder.c_str(), &status) == 0 && (others_write(status) || !is_trusted(status.st_uid));
}

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
