// The journal and the log of a database of SQLite. An interrupted program leaves its journal beside
// the database, and the next program that opens the database rolls the journal back.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace rhizome::core {

// The journal beside that database, unless it is one that this user's program may have left: it may
// name a further file, which SQLite would remove, or stand beside a file that is no database. Such
// a database must not be opened.
[[nodiscard]] std::optional<std::filesystem::path> strange_journal(
    const std::filesystem::path& database);

// What makes SQLite keep a log of that database: the database itself, where its header says so, or
// a log or an index of one beside it. SQLite writes to these, which may be further names of other
// files ("WAL-mode File Format" in the documentation of SQLite).
[[nodiscard]] std::optional<std::filesystem::path> strange_log(
    const std::filesystem::path& database);

// Whether the file is empty, is not there, or says in its first bytes that it is a database of that
// application ("Database File Format" in the documentation of SQLite).
[[nodiscard]] bool is_database_of(const std::filesystem::path& file, std::uint32_t application);

}  // namespace rhizome::core
