// The tables of the results store. Times and durations are nanoseconds of emulated time; a task
// that was not submitted, started or completed has NULL there, and so has a peer that is nobody.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rhizome::scenarios {

// Marks the file as ours, in PRAGMA application_id: "Rhzm".
inline constexpr int store_application = 0x52687a6d;

// A column and what it means; nothing can be stored without a meaning.
struct ColumnText {
  std::string_view name;
  std::string_view type;  // "INTEGER NOT NULL"
  std::string_view meaning;

  consteval ColumnText(std::string_view column, std::string_view kind, std::string_view what)
      : name(column), type(kind), meaning(what) {
    if (meaning.empty()) throw "a column needs a meaning";
  }
};

// One table. The writer binds its columns and the reader takes them in this order.
struct Table {
  std::string_view name;
  std::string_view meaning;
  std::string_view key;  // columns that order the rows of a run; empty: it has but one
  std::span<const ColumnText> columns;  // after the run, which all have
};

// In the order of their making. Facts have tables of their own.
[[nodiscard]] std::span<const Table> store_tables();
// Throws std::logic_error where there is none of that name.
[[nodiscard]] const Table& store_table(std::string_view name);

// The statement that makes each table, with its name.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> table_statements();

// The views, for people who look into a store: nothing is read from them here, as those of a store
// that others made may be anything.
inline constexpr std::array<std::string_view, 4> view_names{"summary", "peer_burdens",
                                                            "kind_burdens", "facts"};
// What the view `summary` selects.
[[nodiscard]] std::string_view summary_select();

// Statements that make every table and view.
[[nodiscard]] std::string schema_sql();

}  // namespace rhizome::scenarios
