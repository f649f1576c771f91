// How much one scenario may compare and hold. What reads scenarios and outcomes takes memory and
// time for each of these, so that a file or a store with more is refused.
#pragma once

#include <cstddef>

namespace rhizome::scenarios {

inline constexpr std::size_t most_schedulers = 1000;  // labels
inline constexpr std::size_t longest_label = 200;     // bytes; a comparison repeats it in each cell
inline constexpr std::size_t longest_key = longest_label + 100;  // "scheduler.LABEL.option"
inline constexpr std::size_t most_runs = 1'000'000;              // of all cells
inline constexpr std::size_t most_cells = 10'000;                // that the lists of a sweep span
inline constexpr std::size_t most_swept = 1000;                  // keys with lists
inline constexpr std::size_t longest_value = 4096;  // bytes, of what is swept; a path may have them
inline constexpr std::size_t most_document = std::size_t{4} << 20U;  // bytes of a scenario's text
inline constexpr std::size_t longest_claim = 1000;                   // bytes
inline constexpr std::size_t most_judged = 200'000;                  // claims, each in each cell
inline constexpr std::size_t most_tables = 1000;  // names of tables, whatever stands in them
// Each cell repeats the whole scenario, and all cells are kept.
inline constexpr std::size_t most_items = 2'000'000;  // of all cells: keys, tables
inline constexpr std::size_t most_text = std::size_t{256} * (1 << 20);  // of all cells, in bytes

}  // namespace rhizome::scenarios
