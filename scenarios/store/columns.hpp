// The columns of the results store: what each means, and the statement that makes a table of them.
// The meanings stand within the statement, where SQLite keeps them: `.schema` shows them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rhizome::scenarios {

struct Column {
  std::string name;
  std::string type;  // "INTEGER NOT NULL"
};

struct TableText {
  std::string name;
  std::string meaning;          // in a sentence
  std::string key;              // columns that order the rows of a run; empty: it has but one
  std::vector<Column> columns;  // without the run, which comes first
};

// "when it began, in ns". Throws std::logic_error where nobody has said what it means.
[[nodiscard]] std::string meaning_of(std::string_view table, std::string_view column);

// The rows of a run lie together, in the order of the key.
[[nodiscard]] std::string create_sql(const TableText& table);

}  // namespace rhizome::scenarios
