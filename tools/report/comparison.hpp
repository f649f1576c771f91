// The comparisons of a report: what came out in words, and the figures behind it.
#pragma once

#include <string>

#include "tools/compare/compare.hpp"
#include "tools/markup/markup.hpp"

namespace rhizome::tools {

// Makespan and messages of each side against the first, or those of the only one: "Against
// organic-grid, air-traffic took 1.50 times as long (worse) and sent ...".
[[nodiscard]] std::string verdict_of(const Comparison& comparison);

void add_comparison(Element page, const Comparison& comparison);

}  // namespace rhizome::tools
