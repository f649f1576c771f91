// The tables of facts: one for each type, with a column for each of its values, all made from what
// the types say of themselves.
#pragma once

#include <string>
#include <vector>

#include "scenarios/outcome/facts.hpp"
#include "scenarios/store/database.hpp"

namespace rhizome::scenarios {

// Statements that make the tables, and the view `facts` of what happened when at whom.
[[nodiscard]] std::string fact_tables_sql();

// The names of the tables: "fact_task_started".
[[nodiscard]] std::vector<std::string> fact_tables();

void write_facts(const Database& database, std::size_t run, const Facts& facts);
[[nodiscard]] Facts read_facts(const Database& database, std::size_t run);

}  // namespace rhizome::scenarios
