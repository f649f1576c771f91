#include "scenarios/store/interrupted.hpp"

#include <csignal>
#include <fstream>
#include <string>
#include <system_error>

#include "core/child/own_folder.hpp"
#include "core/engine/signals_blocked.hpp"
#include "core/history/file_content.hpp"
#include "scenarios/store/checks.hpp"
#include "scenarios/store/database.hpp"
#include "scenarios/store/file_locks.hpp"

namespace rhizome::scenarios {

namespace fs = std::filesystem;

namespace {

void copy_whole(const fs::path& from, const fs::path& to) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(from, error);
  if (!error && size > core::content_of(from))
    throw DatabaseError(from.string() + " is larger than what it holds explains");
  if (!error) fs::copy_file(from, to, error);
  if (!error) fs::permissions(to, fs::perms::owner_read | fs::perms::owner_write, error);
  if (error) throw DatabaseError(from.string() + " cannot be copied: " + error.message());
}

// SQLite rolls back as it first reads. That pragma parses no declaration, which would take as long
// as their writer wants.
std::vector<std::byte> rolled_back(const fs::path& copy) {
  Database(copy, Database::Mode::append).execute("PRAGMA schema_version");
  std::vector<std::byte> bytes(fs::file_size(copy));
  std::ifstream in(copy, std::ios::binary);
  if (!in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size())))
    throw DatabaseError("its copy cannot be read whole");
  return bytes;
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
