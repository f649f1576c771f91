#include "tools/tournament/multiplicity.hpp"

#include <algorithm>
#include <numeric>

namespace rhizome::tools {

// Tests from the smallest p-value on, each against the number of tests that remain, until the first
// that is not rejected.
std::vector<bool> rejected_by_holm(std::span<const double> p_values, double confidence) {
  std::vector<std::size_t> order(p_values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order,
                           [&](std::size_t a, std::size_t b) { return p_values[a] < p_values[b]; });
  std::vector<bool> rejected(p_values.size(), false);
  for (std::size_t step = 0; step < order.size(); ++step) {
    const auto left = static_cast<double>(order.size() - step);
    if (p_values[order[step]] > (1 - confidence) / left) break;
    rejected[order[step]] = true;
  }
  return rejected;
}

}  // namespace rhizome::tools
