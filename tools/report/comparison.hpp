// The comparisons of a report: what came out in words, and the figures behind it.
#pragma once

#include <string>
#include <vector>

#include "tools/compare/compare.hpp"
#include "tools/markup/markup.hpp"

namespace rhizome::tools {

// Makespan and messages, in a sentence for each side against the first, or for the only one:
// "Against organic-grid, air-traffic took 1.50 times as long (worse) and sent ...".
[[nodiscard]] std::vector<std::string> verdicts_of(const Comparison& comparison);

void add_comparison(Element page, const Comparison& comparison);

}  // namespace rhizome::tools
