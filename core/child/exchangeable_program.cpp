#include "core/child/exchangeable_program.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <system_error>

#include "core/child/links.hpp"
#include "core/child/own_folder.hpp"

namespace rhizome::core {

namespace fs = std::filesystem;

namespace {

// Whether others may put files into the folder, or make it.
bool may_be_filled(fs::path folder) {
  std::error_code error;
  while (!fs::exists(folder, error) && folder.has_relative_path()) folder = folder.parent_path();
  return others_may_write(folder) || open_to_others(folder / "file");
}

// Whether another user wrote the program, or could exchange it, or put one there, or a module
// beside it, where many languages look first.
bool can_be_exchanged_at(const fs::path& program) try {
  const fs::path place = led_to(program);
  struct stat status {};
  if (open_to_others(program)) return true;
  for (const fs::path& named : {fs::absolute(program), place})
    if (others_may_write(named.parent_path())) return true;
  if (lstat(place.c_str(), &status) != 0) return may_be_filled(place.parent_path());
  const bool trusted = status.st_uid == geteuid() || status.st_uid == 0;
  return !trusted || (status.st_mode & (S_IWGRP | S_IWOTH)) != 0;
} catch (const StrangeLink&) {
  return true;
}

}  // namespace

// Of a name that a child looks for in the folders of PATH, all are judged: it goes on behind one
// that is there and cannot be executed.
bool is_exchangeable_program(const std::string& program) try {
  if (program.find('/') != std::string::npos) return can_be_exchanged_at(program);
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "/bin:/usr/bin" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (!folder.starts_with('/')) continue;  // no program of ours looks there (search_path.hpp)
    const fs::path file = fs::path(folder) / program;
    std::error_code error;
    if (may_be_filled(folder) || may_be_filled(led_to(folder))) return true;
    if (fs::exists(fs::symlink_status(file, error)) && can_be_exchanged_at(file)) return true;
  }
  return false;
} catch (const StrangeLink&) {
  return true;
}

}  // namespace rhizome::core
