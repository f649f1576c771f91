#include "tools/compare/judgement.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <string>
#include <utility>
#include <vector>

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

template <class Of>
std::vector<std::string> distinct(std::span<const RunFigures> runs, Of of) {
  std::vector<std::string> values;
  for (const RunFigures& run : runs)
    if (std::ranges::find(values, of(run)) == values.end()) values.push_back(of(run));
  return values;
}
std::vector<std::string> origins_of(std::span<const RunFigures> runs) {
  return distinct(runs, [](const RunFigures& run) { return run.origin; });
}

// The runs of each scheduler. Where each source has one, and all have other names, these are
// compared.
std::vector<std::vector<RunFigures>> contests_of(std::span<const RunFigures> runs,
                                                 std::size_t origins) {
  const auto labels = distinct(runs, [](const RunFigures& run) { return run.identity.label; });
  std::vector<std::vector<RunFigures>> contests;
  for (const std::string& label : labels)
    std::ranges::copy_if(runs, std::back_inserter(contests.emplace_back()),
                         [&](const RunFigures& run) { return run.identity.label == label; });
  const bool apart = std::ranges::all_of(
      contests, [](const auto& contest) { return origins_of(contest).size() == 1; });
  if (!apart || labels.size() != origins) return contests;
  std::vector<RunFigures> all(runs.begin(), runs.end());
  for (RunFigures& run : all) run.identity.label = labels.front();
  return {std::move(all)};
}

ClaimResult undecided(const NoWorse& bound, const std::string& why) {
  return {
      .claim = fmt::format("{} is no worse by more than {:g} %", bound.metric->name, bound.percent),
      .standing = Standing::inconclusive,
      .reason = why};
}

std::vector<ClaimResult> judge(const NoWorse& bound, std::span<const RunFigures> runs,
                               double confidence) {
  const std::vector<std::string> origins = origins_of(runs);
  if (origins.size() < 2) return {undecided(bound, "there are no two to compare")};
  std::vector<ClaimResult> results;
  for (const std::vector<RunFigures>& contest : contests_of(runs, origins.size())) {
    if (origins_of(contest).size() < 2) {
      results.push_back(undecided(bound, "only " + contest.front().origin + " has runs of " +
                                             contest.front().identity.label));
      continue;
    }
    for (const Comparison& comparison :
         compare(contest, {.sides = Sides::runs, .confidence = confidence, .only = {bound.metric}}))
      for (auto later = origins.begin() + 1; later != origins.end(); ++later)
        results.push_back(judge(bound, comparison, origins.front(), *later));
  }
  return results;
}

}  // namespace

std::vector<ClaimResult> judge_no_worse(std::span<const NoWorse> bounds,
                                        std::span<const RunFigures> runs, double confidence) {
  std::vector<ClaimResult> results;
  for (const NoWorse& bound : bounds)
    for (ClaimResult& result : judge(bound, runs, confidence)) results.push_back(std::move(result));
  return results;
}

}  // namespace rhizome::tools
