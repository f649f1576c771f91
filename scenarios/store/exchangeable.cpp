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
#include "core/history/file_content.hpp"
#include "scenarios/store/database.hpp"
#include "scenarios/store/reading_limits.hpp"

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

// Keeps other processes from writing to the file until it is closed. Where a file system has no
// locks, SQLite does not write.
void keep_from_writing(int file, std::chrono::milliseconds patience) {
  const auto until = std::chrono::steady_clock::now() + patience;
  struct flock lock = lock_of(first_shared_byte, shared_bytes);
  while (fcntl(file, F_OFD_SETLK, &lock) != 0 && (errno == EAGAIN || errno == EACCES)) {
    if (std::chrono::steady_clock::now() > until) throw DatabaseLocked("database is locked");
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

// A process that holds the reserved byte writes its journal, and does not write the file yet.
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
std::uint64_t size_of(const core::Opened& file) {
  std::error_code error;
  const std::uint64_t size = fs::file_size(file.path(), error);
  if (error || !file.is(S_IFREG)) throw DatabaseError("it is no file of its own");
  if (size > core::content_of(file.path()))
    throw DatabaseError("it is larger than what it holds explains");
  return size;
}

}  // namespace

bool is_exchangeable(const fs::path& file) {
  if (core::open_to_others(file)) return true;
  // From here on no other user can change where the name leads.
  std::error_code error;
  const fs::path real = fs::canonical(file, error);
  struct stat status {};
  return error || lstat(real.c_str(), &status) != 0 || status.st_uid != geteuid() ||
         core::others_may_write(real.parent_path());
}

std::vector<std::byte> bytes_at_once(const fs::path& file, std::chrono::milliseconds patience) {
  std::error_code error;
  const fs::path real = fs::canonical(file, error);
  const core::Opened opened(real, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  if (error || !opened) throw DatabaseError(std::generic_category().message(errno));
  static_cast<void>(size_of(opened));
  keep_from_writing(opened.number(), patience);
  check_closed(real, opened.number());
  const std::uint64_t whole = size_of(opened);
  extend_reading_limits(whole);
  std::vector<std::byte> bytes(whole);
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
