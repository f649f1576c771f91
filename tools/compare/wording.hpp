// How figures of comparisons are put into words and digits, the same in every renderer for people.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "tools/compare/compare.hpp"
#include "tools/names.hpp"

namespace rhizome::tools {

// "12.31 ±0.42", four digits; from a million on with a suffix, "1.235M ±0.012".
[[nodiscard]] std::string mean_text(const Estimate& estimate);

// "1.142 [1.101, 1.183]", unbounded where the first side may be zero; where it is zero and there is
// no ratio, the difference with its sign.
[[nodiscard]] std::string versus_text(const Versus& versus);

// What the difference is worth: better or worse where the metric has a direction, else more or
// less.
[[nodiscard]] std::string verdict_text(const Metric& metric, const Versus& versus);

// 1 better, -1 worse, 0 neither.
[[nodiscard]] int merit(const Metric& metric, const Versus& versus);

// No run of it needs a mark.
[[nodiscard]] bool sound(const Side& side);

// "tree 97 %, groups not judged": what a side's runs were judged on; empty without structures.
[[nodiscard]] std::string judged_text(const Side& side);
// The same for all sides, as a sentence; empty where none has a structure.
[[nodiscard]] std::string judged_text(const Comparison& comparison);

// "makespan, s".
[[nodiscard]] std::string heading(const Metric& metric);

// The methods behind the figures, in a sentence or two.
[[nodiscard]] std::string method_text(const Comparison& comparison);

// Columns that UTF-8 text takes, one for each code point.
[[nodiscard]] std::size_t columns_of(std::string_view text);
// Filled with spaces, or cut with an ellipsis, to exactly `columns`.
[[nodiscard]] std::string fitted(std::string_view text, std::size_t columns);
// Lines of at most `columns`; those after the first begin with `indent` spaces.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t columns, std::size_t indent);
// Lines of at most `columns`, each of which begins with `prefix`; none of an empty text.
[[nodiscard]] std::string paragraph(std::string_view text, std::size_t columns,
                                    std::string_view prefix);

}  // namespace rhizome::tools
