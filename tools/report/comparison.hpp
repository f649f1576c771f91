// The comparisons of a report: the results in words, and the figures behind them.
#pragma once

#include <string>
#include <vector>

#include "tools/compare/compare.hpp"
#include "tools/markup/markup.hpp"

namespace rhizome::tools {

// Makespan and messages in sentences: one for each side against the first, or one for a single
// side. For example "Against organic-grid, air-traffic took 1.50 times as long (worse) and sent
// ...".
[[nodiscard]] std::vector<std::string> verdicts_of(const Comparison& comparison);

void add_comparison(Element page, const Comparison& comparison);

}  // namespace rhizome::tools
