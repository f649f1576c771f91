#include "core/child/links.hpp"

#include <fcntl.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <sys/vfs.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <system_error>
#include <vector>

namespace rhizome::core {

namespace fs = std::filesystem;

namespace {

std::string target_of(const Opened& link) {
  std::string target(PATH_MAX, '\0');
  const ssize_t length = readlinkat(link.number(), "", target.data(), target.size());
  target.resize(static_cast<std::size_t>(std::max<ssize_t>(length, 0)));
  return target;
}

}  // namespace

bool is_name_of_kernel(const Opened& link) {
  if (!link.is(S_IFLNK)) return false;
  const fs::path target = target_of(link);
  struct statfs system {};
  return target.is_relative() && target.native().find(':') != std::string::npos &&
         fstatfs(link.number(), &system) == 0 && system.f_type == PROC_SUPER_MAGIC;
}

int open_without_links(int folder, const char* file, int flags) {
  constexpr mode_t mode = 0644;
  flags |= O_CLOEXEC | O_NOFOLLOW;
  open_how how{};
  how.flags = static_cast<unsigned long long>(flags);
  how.mode = (flags & O_CREAT) != 0 ? mode : 0;
  how.resolve = RESOLVE_NO_SYMLINKS;
  const auto opened = static_cast<int>(syscall(SYS_openat2, folder, file, &how, sizeof how));
  if (opened >= 0 || (errno != ENOSYS && errno != EPERM)) return opened;
  return openat(folder, file, flags, mode);
}

fs::path led_to(const fs::path& path, const std::function<void(const fs::path&)>& looked_in) {
  constexpr int most_links = 40;
  int links = 0;
  const fs::path whole = fs::absolute(path);
  std::vector<fs::path> left(whole.begin(), whole.end());
  std::ranges::reverse(left);
  fs::path at;
  while (!left.empty()) {
    const fs::path name = left.back();
    left.pop_back();
    if (name.empty() || name == ".") continue;
    if (name == "..") {
      at = at.parent_path();
      continue;
    }
    if (name.is_absolute()) {
      at = name;
      continue;
    }
    if (looked_in) looked_in(at);
    const Opened there(at / name, O_PATH | O_NOFOLLOW);
    if (!there || !there.is(S_IFLNK)) {
      at /= name;
      continue;
    }
    if (there.owner() != geteuid() && there.owner() != 0)
      throw StrangeLink("another user's link stands at " + (at / name).string(), at / name);
    if (++links > most_links) throw StrangeLink(std::generic_category().message(ELOOP), at / name);
    const fs::path target = target_of(there);
    if (is_name_of_kernel(there)) {
      at /= name;
      continue;
    }
    std::vector<fs::path> more(target.begin(), target.end());
    left.insert(left.end(), more.rbegin(), more.rend());
  }
  return at;
}

}  // namespace rhizome::core
