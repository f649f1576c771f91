// The tables of facts: one for each type, with a column for each of its values, all derived from
// the descriptions of the types.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "scenarios/outcome/facts.hpp"
#include "scenarios/store/database.hpp"

namespace rhizome::scenarios {

// Statements that make the tables. Facts that are noted seldom or on request get their table with
// the first such fact, so that a store without them has the same tables as before. The view `facts`
// lists what happened, when and at which peer.
[[nodiscard]] std::string fact_tables_sql();

// The statement that makes the table of each type of facts, with its name.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> fact_table_statements();

// The names of the tables that a store has: "fact_task_started".
[[nodiscard]] std::vector<std::string> fact_tables(const Database& database);

void write_facts(const Database& database, std::size_t run, const Facts& facts);
[[nodiscard]] Facts read_facts(const Database& database, std::size_t run);

}  // namespace rhizome::scenarios
