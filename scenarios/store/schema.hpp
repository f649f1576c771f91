// The statements that make the tables and views of the results store.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rhizome::scenarios {

// Marks the file as ours, in PRAGMA application_id: "Rhzm".
inline constexpr int store_application = 0x52687a6d;

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
