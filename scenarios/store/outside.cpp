// Checks the file of a store before SQLite opens it. It may be a link to a device, its journal may
// name further files, which SQLite would remove, or its mode may make SQLite create files beside
// it.
#include "scenarios/store/checks.hpp"

#include <cstdint>
#include <string>
#include <system_error>

#include "core/child/journal.hpp"
#include "scenarios/store/database.hpp"
#include "scenarios/text/files.hpp"

namespace rhizome::scenarios {

namespace fs = std::filesystem;

namespace {

// SQLite opens such files whenever they exist. If one is a pipe, SQLite waits for a writer.
void check_log(const fs::path& file) {
  const auto log = core::strange_log(file);
  if (log && *log == file)
    throw DatabaseError("it is in a mode of SQLite that no results store is in");
  if (log)
    throw DatabaseError("beside it is " + log->string() + ", which belongs to no results store");
}

}  // namespace

void check_journal(const fs::path& file) {
  if (const auto journal = core::strange_journal(file))
    throw DatabaseError("its journal is not one that this user's program has left: see " +
                        journal->string());
}

fs::path journal_of(fs::path file) { return file += "-journal"; }

void check_sole(const fs::path& file) {
  if (!is_own_file(fs::weakly_canonical(file)))
    throw DatabaseError("it is no file of this user's own, or it has a further name (a hard link)");
}

bool has_journal(const fs::path& file) {
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored)) throw DatabaseError("it is no file of its own");
  check_log(file);
  check_journal(file);
  const std::uintmax_t size = fs::file_size(journal_of(fs::canonical(file, ignored)), ignored);
  return !ignored && size > 0;
}

}  // namespace rhizome::scenarios
