#include "tools/tournament/multiplicity.hpp"

#include <algorithm>
#include <numeric>
#include <set>

namespace rhizome::tools {

namespace {

using Group = std::set<std::size_t>;

// Removes groups that are contained in others.
void absorb(std::vector<Group>& groups) {
  std::vector<Group> kept;
  std::ranges::sort(groups, [](const Group& a, const Group& b) { return a.size() > b.size(); });
  for (const Group& group : groups) {
    const bool within = std::ranges::any_of(
        kept, [&](const Group& larger) { return std::ranges::includes(larger, group); });
    if (!within) kept.push_back(group);
  }
  groups = std::move(kept);
}

// Splits a group that holds both into two, each without one of them.
void part(std::vector<Group>& groups, std::size_t a, std::size_t b) {
  std::vector<Group> parted;
  for (Group& group : groups) {
    if (!group.contains(a) || !group.contains(b)) {
      parted.push_back(std::move(group));
      continue;
    }
    Group without_a = group;
    without_a.erase(a);
    group.erase(b);
    parted.push_back(std::move(without_a));
    parted.push_back(std::move(group));
  }
  groups = std::move(parted);
  absorb(groups);
}

std::string letter(std::size_t position) {
  const char last = static_cast<char>('a' + position % 26);
  return position < 26 ? std::string(1, last) : letter(position / 26 - 1) + last;
}

}  // namespace

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

std::vector<std::string> group_letters(
    std::size_t count, const std::vector<std::pair<std::size_t, std::size_t>>& apart) {
  std::vector<std::string> letters(count);
  if (count == 0) return letters;
  Group all;
  for (std::size_t i = 0; i < count; ++i) all.insert(i);
  std::vector<Group> groups{all};
  for (const auto& [a, b] : apart) part(groups, a, b);
  std::ranges::sort(groups);
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (const std::size_t item : groups[g]) letters[item] += letter(g);
  return letters;
}

}  // namespace rhizome::tools
