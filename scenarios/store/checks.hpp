// Whether the file of a store, its tables and what they hold can be trusted: it may come from
// elsewhere, and be damaged or made to harm.
#pragma once

#include <filesystem>

#include "scenarios/outcome/outcome.hpp"
#include "scenarios/store/database.hpp"

namespace rhizome::scenarios {

// Whether a store is made of the tables that this program makes, and of nothing else: a view, a
// trigger or a computed column in the place of a table would compute as it is read or written.
// Throws DatabaseError with the first thing that is not. Tables that are missing are told when they
// are read; views are never read.
void check_schema(const Database& database);

// Throws DatabaseError where SQLite would remove a further file as it opens this one.
void check_journal(const std::filesystem::path& file);
// The name of the journal of a file that no link leads to.
[[nodiscard]] std::filesystem::path journal_of(std::filesystem::path file);
// Whether the file has a journal, because a write was interrupted or is under way. Throws
// DatabaseError where SQLite must not open the file.
[[nodiscard]] bool has_journal(const std::filesystem::path& file);
// Throws DatabaseError unless the file is one of this user's own that has no further name. What is
// written to a hard link is written to another file.
void check_sole(const std::filesystem::path& file);

// Throws DatabaseError, which names the first peer or kind of message that does not exist.
void check_sound(const Outcome& outcome);

}  // namespace rhizome::scenarios
