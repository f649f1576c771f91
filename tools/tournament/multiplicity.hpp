// Correction for many tests at once: of twenty tests with a false alarm rate of one in twenty, one
// false alarm is expected.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tools/names.hpp"

namespace rhizome::tools {

// Which of a family of hypotheses are rejected, such that a true one is among them with a
// probability of at most 1 - `confidence` (Holm, Scand. J. Statist. 6, 1979).
[[nodiscard]] std::vector<bool> rejected_by_holm(std::span<const double> p_values,
                                                 double confidence);

// Groups of items that are not distinguishable, as letters beside a ranking.
// For each of `count` items its letters: two items share one exactly when they are not among the
// `apart` (Piepho, J. Comput. Graph. Stat. 13, 2004: insert and absorb). The first item has an "a".
// After "z" comes "aa".
[[nodiscard]] std::vector<std::string> group_letters(
    std::size_t count, const std::vector<std::pair<std::size_t, std::size_t>>& apart);

}  // namespace rhizome::tools
