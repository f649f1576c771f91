// The part of a report about a sweep, in place of the events within a run: the answer, and a short
// folded part for each cell.
#pragma once

#include <span>
#include <vector>

#include "tools/compare/compare.hpp"
#include "tools/markup/markup.hpp"
#include "tools/names.hpp"
#include "tools/report/material.hpp"
#include "tools/report/outline.hpp"

namespace rhizome::tools {

// Adds which setting is best, and which are not distinguishable from it.
void add_sweep_verdict(Element page, const Material& material);

// The tables of the sweep, each under its chart; `charts` are those of all its sweeps in order.
void add_sweeps(Element page, const Material& material, std::span<const Chart> charts,
                Outline& outline);

// A table of each cell, folded; a hint at them where there are too many.
void add_cells(Element page, const std::vector<Comparison>& comparisons, Outline& outline);

// A row for each cell and a column for each claim; without a sweep a row for each claim.
void add_claims(Element page, const std::vector<ClaimResult>& claims, Outline& outline);

}  // namespace rhizome::tools
