// Crowding: whether the points of a chart stand so close together on an even axis that a
// logarithmic one shows them better.
#pragma once

#include <vector>

namespace rhizome::tools {

// At least four values, all above 0, the greatest 30 times the least or more, and at least half of
// them in the lowest tenth between these. What stands twice counts once.
[[nodiscard]] bool is_crowded(std::vector<double> values);

}  // namespace rhizome::tools
