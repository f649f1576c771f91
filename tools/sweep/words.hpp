// The words for a sweep, shared by the text and Markdown renderers.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tools/names.hpp"
#include "tools/sweep/sweep.hpp"

namespace rhizome::tools {

// One table of a sweep: its head and the rows below.
struct SweepTable {
  std::string title{};  // empty if the head is enough
  std::vector<std::vector<std::string>> rows;
  std::size_t keys = 1;  // columns on the left, with the settings
};

// Schedulers that the same single key concerns share a table. Two keys make a grid for each
// scheduler; more keys make a row for each cell. A scheduler that no key concerns has a row "any".
// A star marks the best setting, a tilde a setting that cannot be distinguished from it, and an
// exclamation mark a setting whose runs were not sound.
[[nodiscard]] std::vector<SweepTable> tables_of(const Sweep& sweep);

// " *", " ~", " !" or empty: see tables_of.
[[nodiscard]] std::string mark_of(const SweepSide& side, std::size_t point);

// One sentence for each scheduler and each condition.
[[nodiscard]] std::vector<std::string> sentences_on(const Sweep& sweep);

// "og-vs-atc (virtual): makespan, s".
[[nodiscard]] std::string title_of(const Sweep& sweep);

[[nodiscard]] std::string method_text(const Sweep& sweep);

}  // namespace rhizome::tools
