// Groups of items that are not distinguishable, as letters beside a ranking.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "tools/names.hpp"

namespace rhizome::tools {

// For each of `count` items its letters: two items share one exactly when they are not among the
// `apart` (Piepho, J. Comput. Graph. Stat. 13, 2004: insert and absorb). The first item has an "a".
// After "z" comes "aa".
[[nodiscard]] std::vector<std::string> group_letters(
    std::size_t count, const std::vector<std::pair<std::size_t, std::size_t>>& apart);

}  // namespace rhizome::tools
