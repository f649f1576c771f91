// Outcomes out of the tables of the results store.
#pragma once

#include <cstddef>

#include "scenarios/outcome/outcome.hpp"
#include "scenarios/store/database.hpp"

namespace rhizome::scenarios {

// Throws DatabaseError where it compares more than a scenario can, see most.hpp.
[[nodiscard]] std::size_t count_outcomes(const Database& database);

// Throws DatabaseError if there is no such run, or if its rows have no meaning or belong to no run.
[[nodiscard]] Outcome read_outcome(const Database& database, std::size_t run);

[[nodiscard]] Identity read_identity(const Database& database, std::size_t run);

}  // namespace rhizome::scenarios
