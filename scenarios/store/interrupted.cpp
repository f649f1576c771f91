#include "scenarios/store/interrupted.hpp"

#include <csignal>
#include <string>
#include <system_error>

#include "core/child/own_folder.hpp"
#include "core/engine/signals_blocked.hpp"
#include "core/history/file_content.hpp"
#include "scenarios/store/checks.hpp"
#include "scenarios/store/database.hpp"
#include "scenarios/store/file_locks.hpp"
#include "scenarios/store/reading_limits.hpp"

namespace rhizome::scenarios {

namespace fs = std::filesystem;

namespace {

void copy_whole(const fs::path& from, const fs::path& to) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(from, error);
  if (!error && size > core::content_of(from))
    throw DatabaseError(from.string() + " is larger than what it holds explains");
  if (!error) extend_reading_limits(size);
  if (!error) fs::copy_file(from, to, error);
  if (!error) fs::permissions(to, fs::perms::owner_read | fs::perms::owner_write, error);
  if (error) throw DatabaseError(from.string() + " cannot be copied: " + error.message());
}

std::vector<std::byte> rolled_back(const fs::path& copy) {
  const Database database(copy, Database::Mode::append);
  database.execute("SELECT count(*) FROM sqlite_schema");  // SQLite rolls back as it first reads
  return database.image();
}

}  // namespace

bool is_interrupted(const fs::path& file) {
  return has_journal(file) && !is_being_written(core::Opened(file, O_RDONLY | O_NONBLOCK));
}

std::vector<std::byte> bytes_before_write(const fs::path& file,
                                          std::chrono::milliseconds patience) try {
  const fs::path real = fs::canonical(file);
  const core::Opened opened(real, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  keep_from_writing(opened, patience);
  const core::SignalsBlocked blocked({SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU});
  const core::OwnFolder folder;
  const fs::path copy = folder.path() / "store";
  copy_whole(real, copy);
  copy_whole(journal_of(real), journal_of(copy));
  return rolled_back(copy);
} catch (const fs::filesystem_error& error) {
  throw DatabaseError(error.code().message());
} catch (const core::NoFolder& error) {
  throw DatabaseError(error.what());
}

}  // namespace rhizome::scenarios
