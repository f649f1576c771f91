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

// The comparisons of one run directory.
[[nodiscard]] std::vector<Comparison> compared_within(std::vector<RunFigures> runs);

// Whether nothing but overlays without work is compared, so that charts of tasks would be empty.
[[nodiscard]] bool overlays_alone(const std::vector<Comparison>& comparisons);

void add_comparison(Element page, const Comparison& comparison);

}  // namespace rhizome::tools
