// The tables of the results store. Times and durations are nanoseconds of emulated time; a task
// that was not submitted, started or completed has NULL there, and so has a peer that is nobody.
#pragma once

#include <string_view>
#include <vector>

namespace rhizome::scenarios {

// Marks the file as ours, in PRAGMA application_id: "Rhzm".
inline constexpr int store_application = 0x52687a6d;

// Statements that make every table and view.
[[nodiscard]] std::string_view schema_sql();

// The names of the tables, in the order of their making.
[[nodiscard]] const std::vector<std::string_view>& store_tables();

}  // namespace rhizome::scenarios
