// The cells of a sweep as comparisons need them. A scheduler that an option of another's does not
// concern has run once for all of its cells, and stands in each.
#pragma once

#include <span>
#include <vector>

#include "tools/compare/figures.hpp"
#include "tools/names.hpp"

namespace rhizome::tools {

// The runs with their whole cells: those that ran for several stand in each of them, and within a
// cell schedulers keep the order in which they came first. A cell to which the runs of somebody
// concerned are missing, because somebody interrupted, is left out.
[[nodiscard]] std::vector<RunFigures> in_every_cell(std::span<const RunFigures> runs);

}  // namespace rhizome::tools
