#include "tools/compare/claim_cells.hpp"

#include <algorithm>
#include <array>

namespace rhizome::tools {

namespace {

constexpr std::size_t most_named = 8;

std::string cells_text(const std::vector<const ClaimResult*>& results, Standing standing) {
  std::string text;
  std::size_t count = 0;
  for (const ClaimResult* result : results) {
    if (result->standing != standing) continue;
    if (++count <= most_named) text += (count == 1 ? "" : "; ") + result->cell;
  }
  if (count == 0) return {};
  if (count > most_named) text += " and " + std::to_string(count - most_named) + " more";
  return std::string(name_of(standing)) + " in " + std::to_string(count) + " (" + text + ")";
}

}  // namespace

std::vector<ClaimSummary> by_claim(std::span<const ClaimResult> results) {
  std::vector<ClaimSummary> list;
  for (const ClaimResult& result : results) {
    auto known = std::find_if(list.begin(), list.end(),
                              [&](const auto& one) { return one.claim == result.claim; });
    if (known == list.end()) known = list.insert(list.end(), {.claim = result.claim});
    known->standing = std::max(known->standing, result.standing);
    known->results.push_back(&result);
  }
  return list;
}

std::string text_of(const ClaimSummary& summary) {
  const auto holding =
      std::count_if(summary.results.begin(), summary.results.end(),
                    [](const ClaimResult* one) { return one->standing == Standing::holds; });
  const auto all = static_cast<std::ptrdiff_t>(summary.results.size());
  std::string text = holding == all
                         ? "holds in all " + std::to_string(all) + " cells"
                         : "holds in " + (holding == 0 ? "none" : std::to_string(holding)) +
                               " of " + std::to_string(all) + " cells";
  for (const Standing standing :
       {Standing::fails, Standing::inconclusive, Standing::not_distinguishable})
    if (const std::string cells = cells_text(summary.results, standing); !cells.empty())
      text += "; " + cells;
  return text + ".";
}

}  // namespace rhizome::tools
