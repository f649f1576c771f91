// Numbers in text that are the same numbers again.
#pragma once

#include <string>

namespace rhizome::scenarios {

// The fewest digits that give the same double again; of what is no number "nan", "inf" or "-inf".
[[nodiscard]] std::string shortest(double value);

}  // namespace rhizome::scenarios
