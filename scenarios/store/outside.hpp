// Checks the file of a store before SQLite opens it. It may be a link to a device, its journal may
// name further files, which SQLite would remove, or its mode may make SQLite create files beside
// it.
#pragma once

#include <filesystem>

namespace rhizome::scenarios {

// Whether the file has a journal, because a write was interrupted or is under way, so that the file
// has to be rolled back. Throws DatabaseError where SQLite must not open the file.
[[nodiscard]] bool has_journal(const std::filesystem::path& file);

}  // namespace rhizome::scenarios
