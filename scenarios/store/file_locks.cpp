#include "scenarios/store/file_locks.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <thread>

#include "scenarios/store/database.hpp"

namespace rhizome::scenarios {

namespace {

constexpr off_t reserved_byte = 0x40000001;
constexpr off_t first_shared_byte = 0x40000002;
constexpr off_t shared_bytes = 510;

struct flock lock_of(off_t from, off_t length) {
  struct flock lock {};
  lock.l_type = F_RDLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = from;
  lock.l_len = length;
  return lock;
}

}  // namespace

void keep_from_writing(const core::Opened& file, std::chrono::milliseconds patience) {
  const auto until = std::chrono::steady_clock::now() + patience;
  struct flock lock = lock_of(first_shared_byte, shared_bytes);
  while (fcntl(file.number(), F_OFD_SETLK, &lock) != 0 && (errno == EAGAIN || errno == EACCES)) {
    if (std::chrono::steady_clock::now() > until) throw DatabaseLocked("database is locked");
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

bool is_being_written(const core::Opened& file) {
  struct flock lock = lock_of(reserved_byte, 1);
  return fcntl(file.number(), F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

}  // namespace rhizome::scenarios
