// Damage to stores: the contents of tables, the tables themselves, and the bytes of the file.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "core/peer/rng.hpp"
#include "scenarios/store/database.hpp"
#include "test/support/temporary_file.hpp"

namespace rhizome::test {

using core::Rng;
using scenarios::Database;
using scenarios::Statement;

inline std::vector<std::string> words_of(const Database& database, const std::string& sql,
                                         int column) {
  Statement query = database.prepare(sql);
  query.start();
  std::vector<std::string> words;
  while (query.next()) words.push_back(query.text(column));
  return words;
}

inline const std::string& any(const std::vector<std::string>& words, Rng& rng) {
  return words[rng.below(words.size())];
}

// A statement that damages the tables, or none where SQLite's own rules forbid it.
inline std::string damage(const Database& database, Rng& rng) {
  static const std::vector<std::string> values{"-1",
                                               "0",
                                               "1",
                                               "4611686018427387903",
                                               "255",
                                               "65536",
                                               "1000000",
                                               "4294967295",
                                               "4611686018427387904",
                                               "1e308",
                                               "-1e308",
                                               "NULL",
                                               "'x'",
                                               "''",
                                               "9223372036854775807",
                                               "'</script>'",
                                               "x'00ff'",
                                               "-9223372036854775808"};
  const std::string table =
      any(words_of(database, "SELECT name FROM sqlite_master WHERE type = 'table'", 0), rng);
  const auto columns = words_of(database, "PRAGMA table_info(" + table + ")", 1);
  const std::string column = any(columns, rng);
  // Rows chosen by the last digit of a column: the same each time, unlike random().
  const std::string some = " WHERE unicode(substr('0' || hex(" + any(columns, rng) + "), -1)) % " +
                           std::to_string(1 + rng.below(4)) + " = 0";
  switch (rng.below(8)) {
    case 0:
      return "DROP TABLE " + table;
    case 1:
      return "DELETE FROM " + table + some;
    case 2:
      return "ALTER TABLE " + table + " RENAME COLUMN " + column + " TO other";
    default:
      return "UPDATE OR IGNORE " + table + " SET " + column + " = " + any(values, rng) + some;
  }
}

inline void damage_tables(const std::filesystem::path& file, Rng& rng) {
  Database database(file, Database::Mode::create);
  for (std::uint64_t i = rng.below(3) + 1; i > 0; --i) {
    const std::string sql = damage(database, rng);
    INFO(sql);
    try {
      database.execute(sql);
    } catch (const scenarios::DatabaseError&) {
      // A table of types does not take everything.
    }
  }
}

// Replaces a word of the statement that made the table by another of its length, within the file,
// unless earlier damage has made the file very large.
inline void reword(const std::filesystem::path& file, const std::string& table,
                   const std::string& word, const std::string& other) {
  constexpr std::uintmax_t most = 32U << 20U;
  if (std::filesystem::file_size(file) > most) return;
  std::string bytes = content_of(file.string());
  const std::size_t begin = bytes.find("CREATE TABLE " + table + " (");
  const std::size_t at = bytes.find(word, std::min(begin, bytes.size()));
  if (at == std::string::npos) return;
  bytes.replace(at, word.size(), other);
  std::ofstream(file, std::ios::binary) << bytes;
}

// A statement that changes the schema rather than the rows.
inline std::string restructured(const Database& database, Rng& rng) {
  const auto tables = words_of(database, "SELECT name FROM sqlite_master WHERE type = 'table'", 0);
  const std::string table = any(tables, rng);
  const std::string other = any(tables, rng);
  const auto columns = words_of(database, "PRAGMA table_info(" + table + ")", 1);
  const std::string column = any(columns, rng);
  const std::string endless =
      "WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n) SELECT i FROM n";
  const std::string size = std::to_string(std::uint64_t{1} << (10 + rng.below(14)));
  const std::vector<std::string> changes{
      "DROP TABLE " + table,
      "ALTER TABLE " + table + " RENAME TO other",
      "ALTER TABLE " + table + " RENAME TO other; ALTER TABLE " + other + " RENAME TO " + table,
      "ALTER TABLE " + table + " ADD COLUMN more INTEGER",
      "ALTER TABLE " + table + " ADD COLUMN more TEXT AS (hex(zeroblob(100000000)))",
      "ALTER TABLE " + table + " DROP COLUMN " + column,
      "DROP TABLE " + table + "; CREATE VIEW " + table + " AS " + endless,
      "DROP VIEW IF EXISTS summary; CREATE VIEW summary AS " + endless,
      "CREATE TRIGGER t AFTER INSERT ON " + table + " BEGIN INSERT INTO cells " + endless + "; END",
      "CREATE INDEX i ON " + table + " (" + column + ")",
      "CREATE TABLE copied AS SELECT * FROM " + table + "; DROP TABLE " + table +
          "; ALTER TABLE copied RENAME TO " + table,
      "DROP TABLE " + table + "; CREATE VIRTUAL TABLE " + table + " USING fts5(" + column + ")",
      "PRAGMA user_version = " + std::to_string(rng.below(1000)),
      "PRAGMA journal_mode = WAL",
      "UPDATE " + table + " SET " + column + " = hex(zeroblob(" + size + "))",
      "UPDATE cells SET value = hex(zeroblob(" + size + "))",
      "UPDATE runs SET label = hex(zeroblob(" + size + "))",
      "UPDATE runs SET label = label || run || char(27) || '[31m'",
      "INSERT INTO samples SELECT run, i + 1000000, i, 0, 0, 0, 0 FROM runs, (WITH RECURSIVE n(i) "
      "AS "
      "(VALUES(1) UNION ALL SELECT i + 1 FROM n LIMIT 20000) SELECT i FROM n)"};
  return any(changes, rng);
}

inline void attempt(const std::filesystem::path& file, const std::string& sql) {
  try {
    Database(file, Database::Mode::create).execute(sql);
  } catch (const scenarios::DatabaseError&) {
    // earlier damage makes it impossible
  }
}

// A table is given values of types that it does not declare, while it declares none.
inline void retype(const std::filesystem::path& file, Rng& rng) {
  static const std::vector<std::string> values{
      "'x'", "x'00ff'", "NULL", "1e300", "-1", "hex(zeroblob(3000000))", "'</script>' || char(27)"};
  std::string table;
  std::string column;
  try {
    const Database database(file, Database::Mode::create);
    table = any(words_of(database, "SELECT name FROM sqlite_master WHERE type = 'table'", 0), rng);
    column = any(words_of(database, "PRAGMA table_info(" + table + ")", 1), rng);
  } catch (const scenarios::DatabaseError&) {
    return;  // it was rewritten before
  }
  const bool keyed = table != "runs";
  const std::string strict = keyed ? ") STRICT," : ") STRICT";
  const std::string loose = keyed ? ")        " : ")       ";
  reword(file, table, strict, loose);
  attempt(file, "UPDATE OR IGNORE " + table + " SET " + column + " = " + any(values, rng));
  reword(file, table, loose, strict);
}

inline void change_structure(const std::filesystem::path& file, Rng& rng) {
  for (std::uint64_t i = rng.below(2) + 1; i > 0; --i) {
    if (rng.chance(0.3)) {
      retype(file, rng);
      continue;
    }
    std::string sql;
    try {
      sql = restructured(Database(file, Database::Mode::create), rng);
    } catch (const scenarios::DatabaseError&) {
      return;
    }
    attempt(file, sql);
  }
}

inline void damage_bytes(const std::filesystem::path& file, Rng& rng) {
  const auto size = std::filesystem::file_size(file);
  if (rng.chance(0.2)) {
    std::filesystem::resize_file(file, rng.below(size));
    return;
  }
  std::fstream out(file, std::ios::binary | std::ios::in | std::ios::out);
  for (std::uint64_t i = rng.below(50) + 1; i > 0; --i) {
    out.seekp(static_cast<std::streamoff>(rng.below(size)));
    out.put(static_cast<char>(rng.below(256)));
  }
}

}  // namespace rhizome::test
