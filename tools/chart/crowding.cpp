// Crowding: whether the points of a chart stand so close together on an even axis that a
// logarithmic one shows them better.
#include "tools/chart/chart.hpp"

#include <algorithm>

namespace rhizome::tools {

bool is_crowded(std::vector<double> values) {
  constexpr std::size_t few = 4;
  constexpr double wide = 30;
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  if (values.size() < few) return false;
  const double least = values.front();
  const double most = values.back();
  if (least <= 0 || most / least < wide) return false;
  const auto lowest_tenth =
      std::ranges::upper_bound(values, least + (most - least) / 10) - values.begin();
  return 2 * static_cast<std::size_t>(lowest_tenth) >= values.size();
}

}  // namespace rhizome::tools
