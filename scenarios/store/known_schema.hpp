// Whether a store is made of the tables that this program makes, and of nothing else: a view, a
// trigger or a computed column in the place of a table would compute as it is read or written.
#pragma once

#include "scenarios/store/database.hpp"

namespace rhizome::scenarios {

// Throws DatabaseError with the first thing that is not. Tables that are missing are told when they
// are read; views are never read.
void check_schema(const Database& database);

}  // namespace rhizome::scenarios
