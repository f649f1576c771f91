// Statements that make a table and that fill it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/store/database.hpp"

namespace rhizome::scenarios {

// The columns of the results store, and the statement that makes a table of them. The meaning of
// each is a comment within the statement, where SQLite keeps it: `.schema` shows it.
struct ColumnText {
  std::string name;
  std::string type;  // "INTEGER NOT NULL"
  std::string meaning;
};

struct TableText {
  std::string name;
  std::string meaning;                // in a sentence
  std::string key;                    // columns that order the rows of a run; empty: it has but one
  std::vector<ColumnText> columns{};  // without the run, which comes first
};

// The rows of a run lie together, in the order of the key.
[[nodiscard]] std::string create_sql(const TableText& table);

// Inserts many rows into one table, several to a statement: for SQLite a statement costs as much as
// a row itself.
// "INSERT INTO table VALUES (?, ?), (?, ?)".
[[nodiscard]] std::string insert_sql(const std::string& table, std::size_t columns,
                                     std::size_t rows = 1);

class Insert {
 public:
  // The announced number of rows must be added: rows are written with the last of their statement.
  Insert(const Database& database, const std::string& table, std::size_t columns, std::size_t rows)
      : columns_(columns), left_(rows), one_(database.prepare(insert_sql(table, columns))) {
    if (rows >= together) several_ = database.prepare(insert_sql(table, columns, together));
  }

  template <class... T>
  void add(const T&... values) {
    if (filled_ == 0 && left_ < together) {
      one_.run(values...);
    } else {
      several_->set(static_cast<int>(filled_ * columns_), values...);
      if (++filled_ == together) {
        several_->run_as_set();
        filled_ = 0;
      }
    }
    --left_;
  }

 private:
  static constexpr std::size_t together = 16;  // more gain nothing

  std::size_t columns_;
  std::size_t left_;
  std::size_t filled_ = 0;
  Statement one_;
  std::optional<Statement> several_;
};

}  // namespace rhizome::scenarios
