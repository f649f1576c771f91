// Completes the cells of a sweep for comparisons. If a swept option concerns another scheduler
// only, a scheduler has run once for all cells of that option, and is put into each of them.
#pragma once

#include <span>
#include <vector>

#include "tools/compare/figures.hpp"
#include "tools/names.hpp"

namespace rhizome::tools {

// The runs with complete cells: a run that stands for several cells occurs in each of them. Within
// a cell, schedulers keep the order of their first runs. A cell is left out if an interrupt has
// left a scheduler that belongs there without runs.
[[nodiscard]] std::vector<RunFigures> in_every_cell(std::span<const RunFigures> runs);

}  // namespace rhizome::tools
