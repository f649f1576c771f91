// Tables of the results store as comma-separated values (RFC 4180), for spreadsheets and statistics
// programs.
#pragma once

#include <ostream>
#include <string>
#include <string_view>

#include "scenarios/store/database.hpp"

namespace rhizome::scenarios {

// Quoted if it must be; without what a terminal or a spreadsheet would obey.
[[nodiscard]] std::string csv_field(std::string_view text);

// No table of the store, but made of several: a row for each run, a column for each metric and each
// key that was swept.
inline constexpr std::string_view wide_table = "wide";

// A head of column names, then every row; NULL is an empty field, reals have all their digits. The
// summary has a column more for each key that was swept.
void write_csv(const Database& database, std::string_view table, std::ostream& out);

}  // namespace rhizome::scenarios
