// Checks the file of a store before SQLite opens it. It may be a link to a device, its journal may
// name further files, which SQLite would remove, or its mode may make SQLite create files beside
// it.
#include "scenarios/store/checks.hpp"

#include <cstdint>
#include <fstream>
#include <string>
#include <system_error>

#include "core/child/journal.hpp"
#include "scenarios/store/database.hpp"
#include "scenarios/text/files.hpp"

namespace rhizome::scenarios {

namespace fs = std::filesystem;

namespace {

// Reads at most `size` bytes of the file, from `at` on.
std::string piece_of(const fs::path& file, std::uintmax_t at, std::size_t size) {
  std::ifstream in(file, std::ios::binary);
  std::string piece(size, '\0');
  in.seekg(static_cast<std::streamoff>(at));
  in.read(piece.data(), static_cast<std::streamsize>(size));
  piece.resize(static_cast<std::size_t>(in.gcount()));
  return piece;
}

// "WAL-mode File Format" of the documentation of SQLite: stores of ours are never in that mode.
void check_mode(const fs::path& file) {
  constexpr std::size_t version_to_write = 18;
  constexpr std::size_t version_to_read = 19;
  const std::string head = piece_of(file, 0, version_to_read + 1);
  if (head.size() <= version_to_read || !head.starts_with("SQLite format 3")) return;
  if (head[version_to_write] != 1 || head[version_to_read] != 1)
    throw DatabaseError("it is in a mode of SQLite that no results store is in");
}

// SQLite opens these files whenever they exist. If one is a pipe, SQLite waits for a writer.
void check_companions(const fs::path& file) {
  std::error_code error;
  const std::string whole = fs::canonical(file, error).string();
  if (error) throw DatabaseError(error.message());
  for (const char* const ending : {"-wal", "-shm"})
    if (fs::symlink_status(whole + ending, error).type() != fs::file_type::not_found)
      throw DatabaseError("beside it is " + whole + ending + ", which belongs to no results store");
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
  check_mode(file);
  check_companions(file);
  check_journal(file);
  const std::uintmax_t size = fs::file_size(journal_of(fs::canonical(file, ignored)), ignored);
  return !ignored && size > 0;
}

}  // namespace rhizome::scenarios
