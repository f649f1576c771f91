#include "tools/compare/judgement.hpp"

#include <algorithm>
#include <map>

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
  if (count > most_named) text += " and " + std::to_string(count - most_named) + " more";
  return std::string(name_of(standing)) + " in " + std::to_string(count) + " (" + text + ")";
}

}  // namespace

std::vector<ClaimSummary> by_claim(std::span<const ClaimResult> results) {
  std::vector<ClaimSummary> list;
  std::map<std::string, std::size_t> places;
  for (const ClaimResult& result : results) {
    const auto [place, is_new] = places.emplace(result.claim, list.size());
    if (is_new) list.push_back({.claim = result.claim});
    ClaimSummary& known = list[place->second];
    known.standing = std::max(known.standing, result.standing);
    known.results.push_back(&result);
  }
  return list;
}

std::string text_of(const ClaimSummary& summary) {
  const std::size_t all = summary.results.size();
  const std::string of_all = " of " + std::to_string(all) + " cells";
  std::string text;
  for (const Standing standing :
       {Standing::holds, Standing::fails, Standing::inconclusive, Standing::not_distinguishable}) {
    const auto count = static_cast<std::size_t>(std::ranges::count_if(
        summary.results, [&](const ClaimResult* one) { return one->standing == standing; }));
    if (count == all)
      return std::string(name_of(standing)) + " in all " + std::to_string(all) + " cells.";
    if (standing == Standing::holds)
      text = "holds in " + (count == 0 ? "none" : std::to_string(count)) + of_all;
    else if (count > 0)
      text += "; " + cells_text(summary.results, standing);
  }
  return text + ".";
}

}  // namespace rhizome::tools
