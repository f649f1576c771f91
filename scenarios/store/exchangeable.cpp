#include "scenarios/store/exchangeable.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>
#include <thread>

#include "core/child/links.hpp"
#include "core/child/own_folder.hpp"
#include "scenarios/store/database.hpp"

namespace rhizome::scenarios {

namespace fs = std::filesystem;

namespace {

// "File Locking And Concurrency" of the documentation of SQLite, and its os.h.
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

// Until the file is closed, nobody writes to it. A file system without locks has no such writers.
void keep_from_writing(int file, std::chrono::milliseconds patience) {
  const auto until = std::chrono::steady_clock::now() + patience;
  struct flock lock = lock_of(first_shared_byte, shared_bytes);
  while (fcntl(file, F_OFD_SETLK, &lock) != 0 && (errno == EAGAIN || errno == EACCES)) {
    if (std::chrono::steady_clock::now() > until) throw DatabaseLocked("database is locked");
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

// Whoever has the reserved byte has written its journal, and not yet the file.
bool is_being_written(int file) {
  struct flock lock = lock_of(reserved_byte, 1);
  return fcntl(file, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

void check_closed(const fs::path& file, int opened) {
  struct stat status {};
  const std::string journal = file.string() + "-journal";
  if (lstat(journal.c_str(), &status) != 0 || is_being_written(opened)) return;
  if (S_ISREG(status.st_mode) && status.st_size == 0) return;
  throw DatabaseError("a write to it was interrupted, and other users may exchange " + journal +
                      ": copy its directory to a folder of your own");
}

// A file with holes may be larger than any disk.
std::size_t size_of(int file) {
  constexpr std::uint64_t block = 512;  // the unit of st_blocks
  constexpr std::uint64_t compression = 16;
  struct stat status {};
  if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode))
    throw DatabaseError("it is no file of its own");
  const auto size = static_cast<std::uint64_t>(status.st_size);
  const std::uint64_t kept = static_cast<std::uint64_t>(status.st_blocks) * block;
  if (kept > 0 && size > kept * compression)
    throw DatabaseError("it is larger than what it holds explains");
  return size;
}

}  // namespace

bool is_exchangeable(const fs::path& file) {
  std::error_code error;
  const fs::path real = fs::canonical(file, error);
  struct stat status {};
  if (error || stat(real.c_str(), &status) != 0) return false;  // it is not there
  return status.st_uid != geteuid() || core::others_may_write(real.parent_path()) ||
         core::open_to_others(real) || core::open_to_others(file);
}

std::vector<std::byte> bytes_at_once(const fs::path& file, std::chrono::milliseconds patience) {
  std::error_code error;
  const fs::path real = fs::canonical(file, error);
  const core::Opened opened(real, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  if (error || !opened) throw DatabaseError(std::generic_category().message(errno));
  static_cast<void>(size_of(opened.number()));
  keep_from_writing(opened.number(), patience);
  check_closed(real, opened.number());
  std::vector<std::byte> bytes(size_of(opened.number()));
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t size =
        pread(opened.number(), &bytes[done], bytes.size() - done, static_cast<off_t>(done));
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) throw DatabaseError("it cannot be read whole");
    done += static_cast<std::size_t>(size);
  }
  return bytes;
}

}  // namespace rhizome::scenarios
