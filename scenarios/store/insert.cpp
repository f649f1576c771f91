#include "scenarios/store/insert.hpp"

namespace rhizome::scenarios {

std::string insert_sql(const std::string& table, std::size_t columns, std::size_t rows) {
  std::string row = "(?";
  for (std::size_t i = 1; i < columns; ++i) row += ", ?";
  row += ")";
  std::string sql = "INSERT INTO " + table + " VALUES " + row;
  for (std::size_t i = 1; i < rows; ++i) sql += ", " + row;
  return sql;
}

}  // namespace rhizome::scenarios
