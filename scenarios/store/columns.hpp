// The columns of the results store, and the statement that makes a table of them. The meaning of
// each is a comment within the statement, where SQLite keeps it: `.schema` shows it.
#pragma once

#include <string>
#include <vector>

namespace rhizome::scenarios {

struct Column {
  std::string name;
  std::string type;  // "INTEGER NOT NULL"
  std::string meaning;
};

struct TableText {
  std::string name;
  std::string meaning;          // in a sentence
  std::string key;              // columns that order the rows of a run; empty: it has but one
  std::vector<Column> columns;  // without the run, which comes first
};

// The rows of a run lie together, in the order of the key.
[[nodiscard]] std::string create_sql(const TableText& table);

}  // namespace rhizome::scenarios
