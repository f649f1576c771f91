// A sweep as charts: a line for each scheduler against one key, a heat map of each against two.
#pragma once

#include <vector>

#include "tools/chart/chart.hpp"
#include "tools/sweep/sweep.hpp"

namespace rhizome::tools {

// None if more than two keys were swept: the table shows them.
[[nodiscard]] std::vector<Chart> charts_of(const Sweep& sweep);

}  // namespace rhizome::tools
