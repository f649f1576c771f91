#include "tools/compare/judgement.hpp"

#include <fmt/core.h>

#include <string>

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

ClaimResult judge(const NoWorse& bound, const Comparison& comparison, std::size_t side) {
  const Versus& versus = comparison.rows.front().versus[side];
  const Side& first = comparison.sides.front();
  const Side& later = comparison.sides[side];
  ClaimResult result{
      .claim = fmt::format("{} of {} is no worse than {} by more than {:g} %", bound.metric->name,
                           later.name, first.name, bound.percent),
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

}  // namespace

std::vector<ClaimResult> judge_no_worse(std::span<const NoWorse> bounds,
                                        std::span<const RunFigures> runs, double confidence) {
  std::vector<ClaimResult> results;
  for (const NoWorse& bound : bounds)
    for (const Comparison& comparison :
         compare(runs, {.sides = Sides::runs, .confidence = confidence, .only = {bound.metric}}))
      for (std::size_t side = 1; side < comparison.sides.size(); ++side)
        results.push_back(judge(bound, comparison, side));
  return results;
}

}  // namespace rhizome::tools
