// Words and digits for the figures of comparisons, shared by the text and Markdown renderers.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tools/compare/compare.hpp"
#include "tools/compare/layout.hpp"
#include "tools/names.hpp"

namespace rhizome::tools {

// "12.31 ±0.42": four digits; from a million on with a suffix, as in "1.235M ±0.012M".
[[nodiscard]] std::string mean_text(const Estimate& estimate);

// Whether the ratio can be stated. It cannot if the first side may be 0, or if the interval of the
// ratio contains 0.
[[nodiscard]] bool ratio_known(const Versus& versus);
// Whether the sides are equal in every pair, not only on average.
[[nodiscard]] bool equal(const Versus& versus);

// The ratio, as in "1.142 [1.101, 1.183]". If the ratio cannot be stated, the difference with its
// sign, as in "+5.00 [3.00, 7.00]". "equal" if there is no difference at all.
[[nodiscard]] std::string versus_text(const Versus& versus);

// The verdict on the difference: better or worse if the metric has a direction, else more or less.
// Empty if the sides are equal or the metric does not apply: the figures already say so.
[[nodiscard]] std::string verdict_text(const Metric& metric, const Versus& versus);

// 1 for better, -1 for worse, 0 for neither.
[[nodiscard]] int merit(const Metric& metric, const Versus& versus);

// Whether no run of the side needs a mark.
[[nodiscard]] bool sound(const Side& side);

// Warnings about figures that are less reliable than they look, over all comparisons. Each sentence
// occurs once, with the number of cells to which it applies.
[[nodiscard]] std::vector<std::string> warnings_of(std::span<const Comparison> comparisons);

// "tree 97 %, groups not judged": the share of the time in which each structure of the side was
// judged; empty without structures.
[[nodiscard]] std::string judged_text(const Side& side);
// The same for all sides, as a sentence; empty if no side has a structure.
[[nodiscard]] std::string judged_text(const Comparison& comparison);

// Shows times of more than four digits of seconds in hours, and times of ten days or more in days;
// leaves other rows unchanged.
[[nodiscard]] ComparisonRow in_fitting_unit(ComparisonRow row);

// The unit in which figures up to `largest` are shown: seconds become hours or days where they
// would have more than four digits.
struct FittingUnit {
  std::string name;
  double size = 1;  // in the metric's own unit
};
[[nodiscard]] FittingUnit fitting_unit(const std::string& unit, double largest);
[[nodiscard]] Estimate in_unit(Estimate estimate, const FittingUnit& unit);

// "makespan, s": the heading of a row that may be a part of the row above.
[[nodiscard]] std::string heading(const ComparisonRow& row);
// The heading of a row by itself, without a row above that names the whole.
[[nodiscard]] std::string lone_heading(const ComparisonRow& row);
[[nodiscard]] std::string lone_heading(const Metric& metric);
[[nodiscard]] std::string lone_heading(const Metric& metric, const std::string& unit);

// "Best by mean response: a, 30.8 % [27.8, 33.7] less than b", or why there is no best side; empty
// if the sides have no metric in common that ranks.
[[nodiscard]] std::string winner_text(const Comparison& comparison);

// The statistical methods behind the figures, in a sentence or two.
[[nodiscard]] std::string method_text(const Comparison& comparison);
// Explains the differences that stand in place of ratios; empty if no row that is shown has one.
[[nodiscard]] std::string difference_note(const Comparison& comparison, bool all);

}  // namespace rhizome::tools
