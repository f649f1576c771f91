// Checks the file of a store before SQLite opens it. It may be a link to a device, its journal may
// name further files, which SQLite would remove, or its mode may make SQLite create files beside
// it.
#include "scenarios/store/checks.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

#include "scenarios/store/database.hpp"

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

// A journal of a transaction over several files ends with the name of another journal and this text
// ("The Rollback Journal", 3.2), and SQLite removes that file.
bool names_another(const fs::path& journal, std::uintmax_t size) {
  constexpr std::string_view magic("\xd9\xd5\x05\xf9\x20\xa1\x63\xd7", 8);
  return size >= magic.size() && piece_of(journal, size - magic.size(), magic.size()) == magic;
}

}  // namespace

bool has_journal(const fs::path& file) {
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored)) throw DatabaseError("it is no file of its own");
  check_mode(file);
  const fs::path journal = fs::canonical(file, ignored).string() + "-journal";
  struct stat status {};
  if (lstat(journal.c_str(), &status) != 0 || (S_ISREG(status.st_mode) && status.st_size == 0))
    return false;
  if (!S_ISREG(status.st_mode) || status.st_uid != geteuid() ||
      names_another(journal, static_cast<std::uintmax_t>(status.st_size)))
    throw DatabaseError("its journal is not one that this user's program has left: see " +
                        journal.string());
  return true;
}

}  // namespace rhizome::scenarios
