#include "scenarios/store/adding_lock.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "scenarios/text/input_error.hpp"

namespace rhizome::scenarios {

namespace fs = std::filesystem;

namespace {

struct flock whole_lock(short type) {
  struct flock lock {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  return lock;
}

}  // namespace

AddingLock::AddingLock(const fs::path& directory)
    : held_(open((directory / lock_name).c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC,
                 S_IRUSR | S_IWUSR)) {
  struct flock lock = whole_lock(F_WRLCK);
  if (held_ < 0 || fcntl(held_, F_OFD_SETLK, &lock) == 0) return;
  const bool taken = errno == EAGAIN || errno == EACCES;
  if (!taken) return;
  close(held_);
  throw UnreadableFile(directory.string() + ": another process adds runs to it");
}

std::optional<AddingLock> AddingLock::unless_held(const fs::path& directory) try {
  return AddingLock(directory);
} catch (const UnreadableFile&) {
  return {};
}

AddingLock::~AddingLock() {
  if (held_ >= 0) close(held_);
}

bool is_added_to(const fs::path& directory) {
  const int opened =
      open((directory / lock_name).c_str(), O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
  if (opened < 0) return errno == EACCES;
  struct flock lock = whole_lock(F_RDLCK);
  const bool held = fcntl(opened, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
  close(opened);
  return held;
}

}  // namespace rhizome::scenarios
