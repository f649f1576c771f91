#include "scenarios/text/nearest.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace rhizome::scenarios {

namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({changed, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string nearest(std::string_view word, std::span<const std::string> names) {
  std::string best;
  if (word.size() > 64) return best;  // no name of ours is that long
  std::size_t least = std::max<std::size_t>(word.size() > 3 ? 2 : 1, word.size() / 3) + 1;
  for (const std::string& name : names) {
    const std::size_t distance = edit_distance(word, name);
    if (distance >= least) continue;
    least = distance;
    best = name;
  }
  return best;
}

std::string suggestion(std::string_view word, std::span<const std::string> names) {
  const std::string near = nearest(word, names);
  if (!near.empty()) return "; did you mean \"" + near + "\"?";
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "; it is one of " : ", ") + name;
  return list;
}

}  // namespace rhizome::scenarios
