#include "scenarios/text/objections.hpp"

#include <algorithm>
#include <string>

namespace rhizome::scenarios {

namespace {

// More errors at once do not help a user.
constexpr std::size_t most_told = 20;

}  // namespace

void Objections::raise() const {
  if (found_.empty()) return;
  std::vector<InputError> sorted = found_;
  std::ranges::stable_sort(
      sorted, [](const InputError& a, const InputError& b) { return a.place() < b.place(); });
  std::string lines;
  for (std::size_t i = 0; i < std::min(sorted.size(), most_told); ++i)
    lines.append(i == 0 ? "" : "\n").append(sorted[i].what());
  if (sorted.size() > most_told)
    lines.append(sorted.size() < most_found ? "\nand " : "\nand at least ")
        .append(std::to_string(sorted.size() - most_told))
        .append(" more");
  throw InputError(sorted.front().place(), lines);
}

}  // namespace rhizome::scenarios
