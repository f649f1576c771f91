#include "core/child/journal.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

namespace rhizome::core {

namespace {

constexpr std::string_view magic("\xd9\xd5\x05\xf9\x20\xa1\x63\xd7", 8);

// A journal begins with how many pages the database had, and SQLite makes it so large again, with
// holes. No transaction of ours takes pages away that the journal does not have ("The Rollback
// Journal", 3.2).
bool makes_larger(const std::filesystem::path& journal, std::uint64_t size,
                  std::uint64_t database) {
  std::array<unsigned char, 28> head{};
  std::ifstream in(journal, std::ios::binary);
  in.read(reinterpret_cast<char*>(head.data()), head.size());
  const auto number = [&head](std::size_t at) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) value = value << 8U | head[at + i];
    return value;
  };
  constexpr std::uint64_t largest_page = 65536;  // SQLite takes 0 for a size that is not told
  const std::uint64_t page = number(24) == 0 ? largest_page : number(24);
  return number(16) * page > database + size;
}

constexpr std::string_view title = "SQLite format 3";

std::string head_of(const std::filesystem::path& file) {
  constexpr std::size_t header = 100;
  std::string head(header, '\0');
  std::ifstream in(file, std::ios::binary);
  in.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(in.gcount()));
  return head;
}

// SQLite rolls a journal back before it sees that the file is no database.
bool is_database(const std::filesystem::path& file) {
  const std::string head = head_of(file);
  return head.empty() || head.starts_with(title);
}

// A journal of a transaction over several files ends with the name of another journal and this text
// ("The Rollback Journal", 3.2, in the documentation of SQLite), and SQLite removes that file. No
// program of ours has such transactions.
bool names_another(const std::filesystem::path& journal, std::int64_t size) {
  std::string end(magic.size(), '\0');
  std::ifstream in(journal, std::ios::binary);
  in.seekg(size - static_cast<std::int64_t>(magic.size()));
  in.read(end.data(), static_cast<std::streamsize>(end.size()));
  return end == magic;
}

}  // namespace

bool is_database_of(const std::filesystem::path& file, std::uint32_t application) {
  constexpr std::size_t place = 68;
  const std::string head = head_of(file);
  if (head.size() < place + 4) return head.empty();
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < 4; ++i)
    number = number << 8U | static_cast<unsigned char>(head[place + i]);
  return head.starts_with(title) && number == application;
}

std::optional<std::filesystem::path> strange_log(const std::filesystem::path& database) {
  constexpr std::size_t version_to_write = 18;
  constexpr std::size_t version_to_read = 19;
  const std::string head = head_of(database);
  if (head.size() > version_to_read && head.starts_with(title) &&
      (head[version_to_write] != 1 || head[version_to_read] != 1))
    return database;
  std::error_code unknown;
  const std::string whole = std::filesystem::weakly_canonical(database, unknown).string();
  if (unknown) return database;
  for (const char* const ending : {"-wal", "-shm"})
    if (std::filesystem::symlink_status(whole + ending, unknown).type() !=
        std::filesystem::file_type::not_found)
      return whole + ending;
  return {};
}

std::optional<std::filesystem::path> strange_journal(const std::filesystem::path& database) {
  std::error_code unknown;
  std::error_code none;
  const std::uintmax_t size = std::filesystem::file_size(database, none);
  std::filesystem::path journal = std::filesystem::weakly_canonical(database, unknown);
  journal += "-journal";
  struct stat status {};
  if (unknown) return journal;
  if (lstat(journal.c_str(), &status) != 0)
    return errno == ENOENT ? std::nullopt : std::optional(journal);
  // SQLite writes to an empty one, too, as it begins to write.
  if (!S_ISREG(status.st_mode) || status.st_uid != geteuid() || status.st_nlink > 1) return journal;
  if (status.st_size == 0) return {};
  if (is_database(database) && !names_another(journal, status.st_size) &&
      !makes_larger(journal, static_cast<std::uint64_t>(status.st_size), none ? 0 : size))
    return {};
  return journal;
}

}  // namespace rhizome::core
