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

}  // namespace rhizome::test
