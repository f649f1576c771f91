#include "core/child/journal.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

namespace rhizome::core {

namespace {

// A journal of a transaction over several files ends with the name of another journal and this text
// ("The Rollback Journal", 3.2, in the documentation of SQLite), and SQLite removes that file. No
// program of ours has such transactions.
bool names_another(const std::filesystem::path& journal, std::int64_t size) {
  constexpr std::string_view magic("\xd9\xd5\x05\xf9\x20\xa1\x63\xd7", 8);
  std::string end(magic.size(), '\0');
  std::ifstream in(journal, std::ios::binary);
  in.seekg(size - static_cast<std::int64_t>(magic.size()));
  in.read(end.data(), static_cast<std::streamsize>(end.size()));
  return end == magic;
}

}  // namespace

std::optional<std::filesystem::path> strange_journal(const std::filesystem::path& database) {
  std::error_code ignored;
  std::filesystem::path journal = std::filesystem::weakly_canonical(database, ignored);
  journal += "-journal";
  struct stat status {};
  if (lstat(journal.c_str(), &status) != 0) return {};
  if (S_ISREG(status.st_mode) && status.st_size == 0) return {};
  if (S_ISREG(status.st_mode) && status.st_uid == geteuid() &&
      !names_another(journal, status.st_size))
    return {};
  return journal;
}

}  // namespace rhizome::core
