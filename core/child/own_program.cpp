#include "core/child/own_program.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <string_view>
#include <system_error>

#include "core/peer/limit_exceeded.hpp"

namespace rhizome::core {

namespace fs = std::filesystem;

namespace {

// A link, and what it leads to, have to be trusted both: a stranger's link may lead to any program.
bool is_strange(const fs::path& file, const fs::path& self) {
  struct stat running {};
  const bool known = stat(self.c_str(), &running) == 0;
  for (const auto look : {::lstat, ::stat}) {
    struct stat status {};
    if (look(file.c_str(), &status) != 0) return false;  // who needs it is told that it is missing
    const uid_t owner = status.st_uid;
    if (owner != 0 && owner != geteuid() && !(known && owner == running.st_uid)) return true;
  }
  return false;
}

}  // namespace

std::string program_file(const fs::path& self) {
  constexpr std::string_view replaced = " (deleted)";  // as the kernel names such a file
  const std::string file = fs::read_symlink(self).string();
  if (!file.ends_with(replaced) || fs::exists(file)) return file;
  const std::string successor = file.substr(0, file.size() - replaced.size());
  return is_strange(successor, self) ? file : successor;
}

std::string warden_program(const fs::path& self) {
  std::error_code error;
  const fs::path program = fs::read_symlink(self, error);
  if (error)
    throw LimitExceeded("child processes need " + self.string() +
                        ", which cannot be read: " + error.message());
  const fs::path warden = program.parent_path() / "rhizome_warden";
  if (is_strange(warden, self))
    throw LimitExceeded(
        "child processes need " + warden.string() +
        ", and that is another user's: put both programs into a folder of your own");
  return warden.string();
}

}  // namespace rhizome::core
