// Crowding: whether the points of a chart stand so close together on an even axis that a
// logarithmic one shows them better.
#pragma once

#include <vector>

namespace rhizome::tools {

// At least four values, all above 0, the greatest at least 30 times the least, and at least half of
// them in the lowest tenth of the range. Equal values count once.
[[nodiscard]] bool is_crowded(std::vector<double> values);

}  // namespace rhizome::tools
