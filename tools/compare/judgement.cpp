#include "tools/compare/judgement.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "scenarios/outcome/most.hpp"
#include "scenarios/text/enumerators.hpp"
#include "scenarios/text/input_error.hpp"
#include "scenarios/text/plain_text.hpp"
#include "tools/compare/compare.hpp"
#include "tools/compare/figures.hpp"

namespace rhizome::tools {

namespace {

using Runs = std::vector<const RunFigures*>;

// The runs of one cell by label.
struct CellRuns {
  std::string cell;
  std::map<std::string, Runs> by_label{};
};

// Cells in order of first appearance; one without a name when nothing was swept.
std::vector<CellRuns> cells_of(std::span<const RunFigures> runs) {
  std::vector<CellRuns> cells;
  std::map<std::string, std::size_t> places;
  for (const RunFigures& run : runs) {
    const auto place = places.emplace(cell_text(run.identity), cells.size());
    if (place.second) cells.push_back({place.first->first});
    cells[place.first->second].by_label[run.identity.label].push_back(&run);
  }
  if (cells.empty()) cells.emplace_back();
  return cells;
}

// The parser refuses claims about metrics that do not exist.
std::size_t metric_index(const std::string& name) {
  return static_cast<std::size_t>(find_metric(name) - metrics().data());
}

// Four digits, or all before the point.
std::string number_text(double value) {
  return std::fabs(value) < 1e4 ? fmt::format("{:.4g}", value) : fmt::format("{:.0f}", value);
}

// "left minus right is -2.5 s, between -4.5 and -0.5".
std::string difference_text(const Estimate& difference, const std::string& unit) {
  if (!difference.exists()) return "a metric does not apply to some run";
  const std::string text =
      "left minus right is " + number_text(difference.value) + (unit.empty() ? "" : " " + unit);
  if (!difference.interval) return text;
  return text + ", between " + number_text(difference.interval->low) + " and " +
         number_text(difference.interval->high);
}

// Why the runs of one operand permit no conclusion; empty if they do.
std::string obstacle(const std::string& label, const Runs& runs) {
  const auto any = [&](auto&& wrong) { return std::ranges::any_of(runs, wrong); };
  if (runs.empty()) return label + " has no runs";
  if (any([](const auto* run) { return run->validity.level == Validity::Level::invalid; }))
    return label + " has an invalid run";
  for (const RunFigures* run : runs)
    if (!run->failure.empty())
      return label + " has a run that failed: " + scenarios::first_line(run->failure);
  if (any([](const auto* run) { return run->steered > 0; }))
    return label + " has a run that was steered by hand";
  if (any([](const auto* run) { return run->unfinished > 0; }))
    return label + " has a run that did not complete every task";
  if (runs.size() < 2) return label + " has a single run, which says nothing about chance";
  return {};
}

// A claim fails only if its opposite is sure; if the interval allows both, the claim is open.
Standing standing_of(Claim::Relation relation, const Estimate& difference) {
  using Relation = Claim::Relation;
  const Verdict verdict = judge(difference);
  if (verdict == Verdict::too_few || verdict == Verdict::inapplicable)
    return Standing::inconclusive;
  const bool below = relation == Relation::less || relation == Relation::at_most;
  const bool equal_too = relation == Relation::at_most || relation == Relation::at_least;
  const Interval& interval = *difference.interval;
  const double best = below ? interval.low : -interval.high;  // below 0 is as claimed
  const double worst = below ? interval.high : -interval.low;
  if (worst < 0 || (equal_too && worst == 0)) return Standing::holds;
  return best > 0 ? Standing::fails : Standing::not_distinguishable;
}

// A number has no spread, so this is the interval of the mean, moved.
Estimate difference_from(const Runs& runs, std::size_t metric, double number, double confidence) {
  std::vector<double> values;
  for (const RunFigures* run : runs) values.push_back(run->values[metric]);
  const std::vector<double> numbers(values.size(), number);
  return estimate_difference({values, numbers, true}, confidence);
}

// Judges the claims of one cell.
class Judge {
 public:
  Judge(const CellRuns& runs, double confidence) : runs_(runs), confidence_(confidence) {}

  [[nodiscard]] ClaimResult judge_claim(const Claim& claim) const {
    ClaimResult result{.claim = claim.text, .cell = runs_.cell};
    const Runs& left = runs_of(claim.left.label);
    std::string why = obstacle(claim.left.label, left);
    if (const auto* operand = std::get_if<Operand>(&claim.right)) {
      const Runs& right = runs_of(operand->label);
      if (why.empty()) why = obstacle(operand->label, right);
      if (!left.empty() && !right.empty()) measure(result, claim, left, *operand, right);
    } else if (!left.empty()) {
      result.difference = difference_from(left, metric_index(claim.left.metric),
                                          std::get<double>(claim.right), confidence_);
    }
    result.standing =
        why.empty() ? standing_of(claim.relation, result.difference) : Standing::inconclusive;
    result.reason = why.empty() ? difference_text(result.difference,
                                                  metrics()[metric_index(claim.left.metric)].unit)
                                : why;
    return result;
  }

 private:
  [[nodiscard]] const Runs& runs_of(const std::string& label) const {
    static const Runs none;
    const auto found = runs_.by_label.find(label);
    return found == runs_.by_label.end() ? none : found->second;
  }
  void measure(ClaimResult& result, const Claim& claim, const Runs& left_runs, const Operand& right,
               const Runs& right_runs) const {
    PairedSamples samples = pair_up(left_runs, right_runs,
                                    {metric_index(claim.left.metric), metric_index(right.metric)});
    for (double& value : samples.second) value = claim.factor * value + claim.margin;
    result.paired = samples.paired;
    result.difference =
        estimate_difference({samples.first, samples.second, samples.paired}, confidence_);
  }

  const CellRuns& runs_;
  double confidence_;
};

}  // namespace

std::string_view name_of(Standing standing) {
  return one_of<Standing, std::string_view>(
      standing, {"holds", "not distinguishable", "inconclusive", "fails"});
}

std::vector<ClaimResult> judge_claims(std::span<const Claim> claims,
                                      std::span<const RunFigures> ran, double confidence) {
  const std::vector<RunFigures> runs = in_every_cell(ran);
  const std::vector<CellRuns> cells = cells_of(runs);
  if (claims.size() > scenarios::most_judged / cells.size())
    throw scenarios::UnreadableFile(
        fmt::format("{} claims in {} cells are too many to judge", claims.size(), cells.size()));
  std::vector<ClaimResult> results;
  for (const CellRuns& cell : cells) {
    const Judge judge(cell, confidence);
    for (const Claim& claim : claims) results.push_back(judge.judge_claim(claim));
  }
  return results;
}

Standing overall(std::span<const ClaimResult> claims, std::span<const RunFigures> runs) {
  Standing worst = Standing::holds;
  for (const ClaimResult& claim : claims)
    worst = std::max(worst, claim.standing == Standing::not_distinguishable ? Standing::inconclusive
                                                                            : claim.standing);
  for (const RunFigures& run : runs) {
    if (run.violations > 0 || !run.failure.empty()) return Standing::fails;
    if (run.validity.level == Validity::Level::invalid)
      worst = std::max(worst, Standing::inconclusive);
  }
  return worst;
}

std::string verdict_text(std::span<const ClaimResult> claims, std::span<const RunFigures> runs) {
  std::vector<std::string> failures;
  for (const RunFigures& run : runs) {
    const std::string text = run.identity.label + ": " + scenarios::first_line(run.failure);
    const bool told = std::ranges::find(failures, text) != failures.end();
    if (!run.failure.empty() && !told) failures.push_back(text);
  }
  const Standing standing = overall(claims, runs);
  if (claims.empty() && standing == Standing::holds) return "no claims";
  if (failures.empty()) return std::string(name_of(standing));
  std::string text = "failed";
  for (const std::string& failure : failures)
    text += (&failure == &failures.front() ? ": " : "; ") + failure;
  return text;
}

}  // namespace rhizome::tools
