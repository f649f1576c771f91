#include "core/child/own_program.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>
#include <system_error>

#include "core/child/links.hpp"
#include "core/child/own_folder.hpp"
#include "core/peer/limit_exceeded.hpp"

namespace rhizome::core {

namespace fs = std::filesystem;

namespace {

// No user can make a file in /proc, so no program can have this name.
constexpr const char* no_program = "/proc/the-program-was-removed-while-it-ran";

// The file that runs has no name any more that tells its owner where it was removed.
bool is_trusted(const Opened& file, const fs::path& self) {
  struct stat running {};
  const bool known = stat(self.c_str(), &running) == 0;
  return file.is(S_IFREG) && (file.owner() == 0 || file.owner() == geteuid() ||
                              (known && file.owner() == running.st_uid));
}

// A link is no file that runs: it may lead elsewhere later.
bool is_the_file(const fs::path& named, const fs::path& self) {
  struct stat status {};
  struct stat running {};
  return lstat(named.c_str(), &status) == 0 && stat(self.c_str(), &running) == 0 &&
         status.st_dev == running.st_dev && status.st_ino == running.st_ino;
}

[[noreturn]] void refuse(const std::string& warden, const std::string& why) {
  throw LimitExceeded("child processes need " + warden + ": " + why);
}

}  // namespace

std::string program_file(const fs::path& self) {
  constexpr std::string_view replaced = " (deleted)";  // as the kernel names such a file
  std::string file = fs::read_symlink(self).string();
  if (is_the_file(file, self)) return file;
  if (file.ends_with(replaced)) file.resize(file.size() - replaced.size());
  const bool others = open_to_others(file) || others_may_write(fs::path(file).parent_path());
  return !others && is_trusted(Opened(file, O_PATH), self) ? file : no_program;
}

std::string warden_program(const fs::path& self) {
  std::error_code error;
  const fs::path program = fs::read_symlink(self, error);
  if (error)
    throw LimitExceeded("child processes need " + self.string() +
                        ", which cannot be read: " + error.message());
  return (program.parent_path() / "rhizome_warden").string();
}

// A process that is begun has its own files below 10.
int open_warden(const fs::path& self) {
  const std::string warden = warden_program(self);
  constexpr const char* mend = "it is another user's: put both programs into a folder of your own";
  try {
    const Opened file(led_to(warden), O_PATH | O_NOFOLLOW);
    if (!file) refuse(warden, std::generic_category().message(errno));
    if (!is_trusted(file, self)) refuse(warden, mend);
    const int held = fcntl(file.number(), F_DUPFD_CLOEXEC, 10);
    if (held < 0) refuse(warden, std::generic_category().message(errno));
    return held;
  } catch (const StrangeLink&) {
    refuse(warden, mend);
  }
}

std::string held_warden() {
  static const int warden = open_warden("/proc/self/exe");
  return "/proc/self/fd/" + std::to_string(warden);
}

}  // namespace rhizome::core
