#include "scenarios/store/sql.hpp"

#include <fmt/core.h>

namespace rhizome::scenarios {

namespace {

// Text within a statement must not end its line. Times say their unit.
std::string line_of(const ColumnText& column, bool last) {
  const std::string declared = column.name + " " + column.type + (last ? "" : ",");
  return fmt::format("  {:<34} -- {}{}\n", declared, column.meaning,
                     column.name.ends_with("_ns") ? ", in ns" : "");
}

}  // namespace

std::string create_sql(const TableText& table) {
  const bool one = table.key.empty();
  std::string sql = "CREATE TABLE " + table.name + " (  -- " + table.meaning + "\n";
  sql += one ? line_of({"run", "INTEGER PRIMARY KEY", "its number, from 1"}, false)
             : line_of({"run", "INTEGER NOT NULL", "which run: see the table runs"}, false);
  for (const ColumnText& column : table.columns)
    sql += line_of(column, one && &column == &table.columns.back());
  return sql +
         (one ? ") STRICT;\n"
              : fmt::format("  PRIMARY KEY (run, {})\n) STRICT, WITHOUT ROWID;\n", table.key));
}

std::string insert_sql(const std::string& table, std::size_t columns, std::size_t rows) {
  std::string row = "(?";
  for (std::size_t i = 1; i < columns; ++i) row += ", ?";
  row += ")";
  std::string sql = "INSERT INTO " + table + " VALUES " + row;
  for (std::size_t i = 1; i < rows; ++i) sql += ", " + row;
  return sql;
}

}  // namespace rhizome::scenarios
