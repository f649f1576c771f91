// How figures of comparisons are put into words and digits, the same in every renderer for people.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tools/compare/compare.hpp"
#include "tools/compare/layout.hpp"
#include "tools/names.hpp"

namespace rhizome::tools {

// "12.31 ±0.42", four digits; from a million on with a suffix, "1.235M ±0.012M".
[[nodiscard]] std::string mean_text(const Estimate& estimate);

// Whether the ratio is known at all: not where the first side may be 0, nor where the ratio may be
// on either side of 0.
[[nodiscard]] bool ratio_known(const Versus& versus);
// Every pair is, not only the means.
[[nodiscard]] bool equal(const Versus& versus);

// "1.142 [1.101, 1.183]"; where the ratio is not known, the difference with its sign,
// "+5.00 [3.00, 7.00]"; "equal" where there is no difference at all.
[[nodiscard]] std::string versus_text(const Versus& versus);

// What the difference is worth: better or worse where the metric has a direction, else more or
// less. Nothing of what is equal, or does not apply: the figures say so.
[[nodiscard]] std::string verdict_text(const Metric& metric, const Versus& versus);

// 1 better, -1 worse, 0 neither.
[[nodiscard]] int merit(const Metric& metric, const Versus& versus);

// No run of it needs a mark.
[[nodiscard]] bool sound(const Side& side);

// What makes the figures worth less than they look, in all of them: each sentence once, with the
// number of cells where it is true.
[[nodiscard]] std::vector<std::string> warnings_of(std::span<const Comparison> comparisons);

// "tree 97 %, groups not judged": what a side's runs were judged on; empty without structures.
[[nodiscard]] std::string judged_text(const Side& side);
// The same for all sides, as a sentence; empty where none has a structure.
[[nodiscard]] std::string judged_text(const Comparison& comparison);

// Times of ten hours and more in hours, of ten days and more in days; all else as it is.
[[nodiscard]] ComparisonRow in_fitting_unit(ComparisonRow row);

// "makespan, s", for a row below another of which it may be a part.
[[nodiscard]] std::string heading(const ComparisonRow& row);
// The same by itself, where no row above it says what it is a part of.
[[nodiscard]] std::string lone_heading(const ComparisonRow& row);
[[nodiscard]] std::string lone_heading(const Metric& metric);

// "Best by mean response: a, 30.8 % [27.8, 33.7] less than b", or why there is no best; empty where
// sides have nothing in common that ranks.
[[nodiscard]] std::string winner_text(const Comparison& comparison);

// The methods behind the figures, in a sentence or two.
[[nodiscard]] std::string method_text(const Comparison& comparison);
// What a difference stands for where there is no ratio; empty if no row shown has one.
[[nodiscard]] std::string difference_note(const Comparison& comparison, bool all);

}  // namespace rhizome::tools
