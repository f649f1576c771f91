#include "core/child/child_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "core/child/links.hpp"

namespace rhizome::core {

namespace {

// Whether no other user can change what is written there, or have given another file of this user
// its name, and the child need not wait for one.
// `plain`: only files and folders.
bool is_fit(const Opened& there, bool is_written, bool plain) {
  const bool own = there.owner() == geteuid();
  if (there.is(S_IFREG)) return !is_written || (own && there.links() < 2);
  if (there.is(S_IFIFO)) return !plain && (own || there.owner() == 0);
  return !there.is(S_IFLNK) && (!plain || there.is(S_IFDIR));
}

// Its owner may hold a lease of a file, for whose end an opening would wait (fcntl, F_SETLEASE).
int open_again(const Opened& there, int flags) {
  if (!there.is(S_IFREG)) return open(there.path().c_str(), flags);
  const int opened = open(there.path().c_str(), flags | O_NONBLOCK);
  if (opened >= 0) fcntl(opened, F_SETFL, flags);
  return opened;
}

// A file that another user puts there meanwhile is judged, too: it is opened once.
int open_fit(int folder, const char* file, int flags, bool plain) {
  const bool is_written = (flags & O_WRONLY) != 0;
  if (is_written) {
    const int made = open_without_links(folder, file, flags | O_CREAT | O_EXCL);
    if (made >= 0 || errno != EEXIST) return made;
  }
  const Opened there(open_without_links(folder, file, O_PATH));
  if (there && is_fit(there, is_written, plain)) return open_again(there, flags | O_CLOEXEC);
  if (there) errno = is_written && there.links() > 1 ? EMLINK : EACCES;
  return -1;
}

// A plain file is written in a folder of this user alone.
int open_plain(const std::filesystem::path& file, int flags, bool plain) {
  if (!plain || (flags & O_WRONLY) == 0) return open_fit(AT_FDCWD, file.c_str(), flags, plain);
  const std::filesystem::path parent = file.has_parent_path() ? file.parent_path() : ".";
  const Opened folder(open_without_links(AT_FDCWD, parent.c_str(), O_PATH | O_DIRECTORY));
  if (!folder) return -1;
  if (folder.owner() == geteuid())
    return open_fit(folder.number(), file.filename().c_str(), flags, plain);
  errno = EACCES;
  return -1;
}

}  // namespace

int open_child_file(const char* file, int flags, bool plain) try {
  if (plain) return open_plain(file, flags, plain);
  const std::filesystem::path place = led_to(file);
  if (place.native().starts_with("/proc/")) return open(file, flags | O_CLOEXEC, 0644);
  return open_plain(place, flags, plain);
} catch (const StrangeLink&) {
  errno = ELOOP;
  return -1;
}

}  // namespace rhizome::core
