// A journal beside a database of SQLite that names a further file, which SQLite would remove.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

namespace rhizome::test {

// Returns the journal.
inline std::filesystem::path leave_strange_journal(const std::filesystem::path& database) {
  const std::filesystem::path journal = database.string() + "-journal";
  std::ofstream(journal, std::ios::binary)
      << "precious.db" << std::string("\xd9\xd5\x05\xf9\x20\xa1\x63\xd7", 8);
  return journal;
}

// A journal that has SQLite make the database 4 TiB large; `told`: the size of its pages, for 0 of
// which SQLite takes its own.
inline void leave_journal_of_large_database(const std::filesystem::path& database,
                                            bool told = true) {
  std::string head(
      "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7\0\0\0\0\0\0\0\0\x3f\xff\xff\xff\0\0\2\0\0\0\x10\0", 28);
  if (!told) head[26] = '\0';
  head.resize(512);
  std::ofstream(database.string() + "-journal", std::ios::binary) << head;
}

}  // namespace rhizome::test
