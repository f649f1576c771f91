// Correction for many tests at once: of twenty tests with a false alarm rate of one in twenty, one
// false alarm is expected.
#pragma once

#include <span>
#include <vector>

#include "tools/names.hpp"

namespace rhizome::tools {

// Which of a family of hypotheses are rejected, such that a true one is among them with a
// probability of at most 1 - `confidence` (Holm, Scand. J. Statist. 6, 1979).
[[nodiscard]] std::vector<bool> rejected_by_holm(std::span<const double> p_values,
                                                 double confidence);

}  // namespace rhizome::tools
