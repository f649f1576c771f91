// Ranges as values of an assignment, which sweep like lists: "3..20", "50..500 step 50",
// "1..1000 log 7", "10ms..1s log 3".
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "scenarios/format/document.hpp"
#include "scenarios/text/input_error.hpp"

namespace rhizome::scenarios {

// The values of a range; nothing if the text is none, because it does not begin with a number and
// two dots. Whole ends give whole numbers: they need no step, which is 1, and what a logarithm
// yields is rounded. Decimals, durations and rates name a step or a number of values. Throws
// InputError for a range that is wrong.
[[nodiscard]] std::optional<std::vector<Scalar>> range_values(std::string_view text,
                                                              const Position& at);

}  // namespace rhizome::scenarios
