#include "scenarios/store/exchangeable.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

#include "core/child/links.hpp"
#include "core/child/own_folder.hpp"
#include "core/history/file_content.hpp"
#include "scenarios/store/checks.hpp"
#include "scenarios/store/database.hpp"
#include "scenarios/store/file_locks.hpp"
#include "scenarios/store/reading_limits.hpp"

namespace rhizome::scenarios {

namespace fs = std::filesystem;

namespace {

void check_closed(const fs::path& file, const core::Opened& opened) {
  struct stat status {};
  const fs::path journal = journal_of(file);
  if (lstat(journal.c_str(), &status) != 0 || is_being_written(opened)) return;
  if (S_ISREG(status.st_mode) && status.st_size == 0) return;
  throw DatabaseError("a write to it was interrupted, and other users may exchange " +
                      journal.string() + ": copy its directory to a folder of your own");
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
  keep_from_writing(opened, patience);
  check_closed(real, opened);
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
