#include "scenarios/text/latest.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <system_error>

#include "core/child/own_folder.hpp"
#include "scenarios/text/input_error.hpp"

namespace rhizome::scenarios {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void refuse(const fs::path& name, const std::string& why) {
  throw UnreadableFile(name.string() + " " + why + ": name the run directory that you mean");
}

bool is_own(const struct stat& each) { return each.st_uid == geteuid() || each.st_uid == 0; }

// The run that a link of this user's leads to may have gone, and its name been taken.
void check(const fs::path& name, const fs::path& run) {
  struct stat link {};
  struct stat target {};
  if (lstat(name.c_str(), &link) != 0 || !is_own(link)) refuse(name, "is another user's");
  if (stat(run.c_str(), &target) != 0 || !is_own(target))
    refuse(name, "leads to another user's run");
  if (core::others_may_write(run))
    refuse(name, "leads to a run in which other users may exchange files");
}

}  // namespace

fs::path led_by_latest(const fs::path& path, bool is_run) {
  const fs::path whole = fs::absolute(path).lexically_normal();
  const fs::path plain = whole.has_filename() ? whole : whole.parent_path();  // no last slash
  if (!is_run && std::ranges::find(plain, "latest") == plain.end()) return path;
  std::error_code error;
  const fs::path real = fs::canonical(path, error);
  if (error) throw UnreadableFile(path.string() + ": " + error.message());
  const fs::path run = fs::is_directory(real, error) ? real : real.parent_path();
  if (is_run && real != fs::canonical(plain.parent_path(), error) / plain.filename())
    check(plain, run);
  for (fs::path name = plain; name.has_relative_path(); name = name.parent_path())
    if (name.filename() == "latest") check(name, run);
  return real;
}

}  // namespace rhizome::scenarios
