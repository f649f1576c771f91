#include "tools/compare/judgement.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <utility>

#include "tools/compare/compare.hpp"
#include "tools/compare/wording.hpp"

namespace rhizome::tools {

namespace {

// How far the interval of a ratio, or of a difference from nothing, is on the wrong side of its
// bound: below 0 it is on the right one.
Interval beyond(const Metric& metric, const Versus& versus, double percent) {
  const bool less = metric.better == Better::less;
  const bool of_ratio = ratio_known(versus) && versus.ratio.interval.has_value();
  const Interval interval = of_ratio ? *versus.ratio.interval : *versus.difference.interval;
  const double bound = of_ratio ? 1 + (less ? percent : -percent) / 100 : 0;
  if (less) return {interval.low - bound, interval.high - bound};
  return {bound - interval.high, bound - interval.low};
}

Standing standing_of(const NoWorse& bound, const Versus& versus) {
  if (equal(versus)) return Standing::holds;
  const bool decidable = versus.difference.interval.has_value() &&
                         versus.verdict != Verdict::not_comparable &&
                         versus.verdict != Verdict::inapplicable;
  if (!decidable) return Standing::inconclusive;
  const Interval excess = beyond(*bound.metric, versus, bound.percent);
  if (excess.high <= 0) return Standing::holds;
  return excess.low > 0 ? Standing::fails : Standing::not_distinguishable;
}

std::string reason_of(const Versus& versus) {
  if (versus.verdict == Verdict::not_comparable || versus.verdict == Verdict::inapplicable ||
      versus.verdict == Verdict::too_few)
    return std::string(name_of(versus.verdict));
  return (ratio_known(versus) ? "the ratio is " : "the difference is ") + versus_text(versus);
}

bool has_invalid(const Side& side) { return side.invalid + side.steered > 0; }

std::string claim_text(const NoWorse& bound, const std::string& later, const std::string& first) {
  return fmt::format("{} of {} is no worse than {} by more than {:g} %", bound.metric->name, later,
                     first, bound.percent);
}

ClaimResult judge(const NoWorse& bound, const Comparison& comparison, std::size_t side) {
  const Versus& versus = comparison.rows.front().versus[side];
  const Side& first = comparison.sides.front();
  const Side& later = comparison.sides[side];
  ClaimResult result{.claim = claim_text(bound, later.name, first.name),
                     .cell = comparison.title,
                     .standing = standing_of(bound, versus),
                     .difference = versus.difference,
                     .paired = versus.paired,
                     .reason = reason_of(versus)};
  if (has_invalid(first) || has_invalid(later)) {
    result.standing = Standing::inconclusive;
    result.reason = "a run was invalid, or steered by hand";
  }
  return result;
}

// Of all comparisons, in their order.
std::vector<std::string> sides_of(const std::vector<Comparison>& comparisons) {
  std::vector<std::string> names;
  for (const Comparison& comparison : comparisons)
    for (const Side& side : comparison.sides)
      if (std::ranges::find(names, side.name) == names.end()) names.push_back(side.name);
  return names;
}

// A cell of which one of the two has no runs is undecided, and not passed over.
ClaimResult judge(const NoWorse& bound, const Comparison& comparison, const std::string& first,
                  const std::string& later) {
  const auto has_name = [](const std::string& name) {
    return [&name](const Side& side) { return side.name == name; };
  };
  const auto& sides = comparison.sides;
  const auto found = std::ranges::find_if(sides, has_name(later));
  if (found != sides.end() && sides.front().name == first)
    return judge(bound, comparison, static_cast<std::size_t>(found - sides.begin()));
  return {.claim = claim_text(bound, later, first),
          .cell = comparison.title,
          .standing = Standing::inconclusive,
          .reason = (found == sides.end() ? later : first) + " has no runs of it"};
}

std::vector<ClaimResult> judge(const NoWorse& bound, const std::vector<Comparison>& comparisons) {
  const std::vector<std::string> names = sides_of(comparisons);
  if (names.size() < 2)
    return {{.claim = fmt::format("{} is no worse by more than {:g} %", bound.metric->name,
                                  bound.percent),
             .standing = Standing::inconclusive,
             .reason = "there are no two to compare"}};
  std::vector<ClaimResult> results;
  for (const Comparison& comparison : comparisons)
    for (auto later = names.begin() + 1; later != names.end(); ++later)
      results.push_back(judge(bound, comparison, names.front(), *later));
  return results;
}

}  // namespace

std::vector<ClaimResult> judge_no_worse(std::span<const NoWorse> bounds,
                                        std::span<const RunFigures> runs, double confidence) {
  std::vector<ClaimResult> results;
  for (const NoWorse& bound : bounds)
    for (ClaimResult& result : judge(bound, compare(runs, {.sides = Sides::runs,
                                                          .confidence = confidence,
                                                          .only = {bound.metric}})))
      results.push_back(std::move(result));
  return results;
}

}  // namespace rhizome::tools
