// Writes numbers so that reading them gives the same numbers.
#pragma once

#include <string>

namespace rhizome::scenarios {

// The text with the fewest digits that reads as the same double, or "nan", "inf" or "-inf".
[[nodiscard]] std::string shortest(double value);

}  // namespace rhizome::scenarios
