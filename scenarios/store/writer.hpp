// Outcomes into the tables of the results store.
#pragma once

#include <cstddef>

#include "scenarios/outcome/outcome.hpp"
#include "scenarios/store/database.hpp"

namespace rhizome::scenarios {

// All rows of an outcome; the caller holds the transaction.
void write_outcome(const Database& database, std::size_t run, const Outcome& outcome);

}  // namespace rhizome::scenarios
