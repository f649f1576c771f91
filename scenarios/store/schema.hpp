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

// The views, for people who query a store: this program reads nothing from them, because the views
// of a foreign store may contain anything.
inline constexpr std::array<std::string_view, 4> view_names{"summary", "peer_burdens",
                                                            "kind_burdens", "facts"};
// The query of the view `summary`.
[[nodiscard]] std::string_view summary_select();

// Statements that make every table and view.
[[nodiscard]] std::string schema_sql();

}  // namespace rhizome::scenarios
