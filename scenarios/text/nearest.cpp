#include "scenarios/text/nearest.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace rhizome::scenarios {

namespace {

// Letters that are wrong, missing, too many or swapped with their neighbour (Damerau), by the rows
// of the usual table.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  std::vector<std::size_t> above;  // the row before
  std::vector<std::size_t> two_above;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    two_above = std::exchange(above, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({changed, above[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], two_above[j - 2] + 1);
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

std::string suggestion(std::string_view word, std::span<const std::string> names,
                       std::string_view command) {
  const std::string near = nearest(word, names);
  if (!near.empty()) return "; did you mean \"" + near + "\"?";
  constexpr std::size_t most = 50;  // more would hide the sentence
  if (names.size() > most)
    return command.empty() ? std::string() : "; " + std::string(command) + " has all of them";
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "; it is one of " : ", ") + name;
  return list;
}

}  // namespace rhizome::scenarios
