// The journal that a program which was cut off has left beside a database of SQLite. Whoever opens
// the database next rolls the journal back.
#pragma once

#include <filesystem>
#include <optional>

namespace rhizome::core {

// The journal beside that database, unless it is one that this user's program may have left: it may
// name a further file, which SQLite would remove. Such a database must not be opened.
[[nodiscard]] std::optional<std::filesystem::path> strange_journal(
    const std::filesystem::path& database);

}  // namespace rhizome::core
