// What can be wrong with the file of a store before SQLite looks at it: a link to a device, a
// journal that names further files, which SQLite would remove, or a mode that makes files beside
// it.
#pragma once

#include <filesystem>

namespace rhizome::scenarios {

// Whether a write was broken off, or is under way, so that what is there has to be rolled back.
// Throws DatabaseError where SQLite must not open the file.
[[nodiscard]] bool has_journal(const std::filesystem::path& file);

}  // namespace rhizome::scenarios
