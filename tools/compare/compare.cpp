#include "tools/compare/compare.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "tools/compare/cells.hpp"

namespace rhizome::tools {

namespace {

using Runs = std::vector<const RunFigures*>;
using NameOf = std::function<std::string(const RunFigures&)>;

// Parts by name, in order of first appearance.
std::vector<std::pair<std::string, Runs>> split(std::span<const RunFigures* const> runs,
                                                const NameOf& name_of_run) {
  std::vector<std::pair<std::string, Runs>> parts;
  for (const RunFigures* run : runs) {
    const std::string name = name_of_run(*run);
    auto part = std::find_if(parts.begin(), parts.end(),
                             [&](const auto& known) { return known.first == name; });
    if (part == parts.end()) part = parts.insert(parts.end(), {name, {}});
    part->second.push_back(run);
  }
  return parts;
}

// What the sides have in common, and what tells them apart.
struct Grouping {
  NameOf common;
  NameOf side;
};

std::string cell_of(const RunFigures& run) { return cell_text(run.identity); }
std::string label_of(const RunFigures& run) { return run.identity.label; }
std::string origin_of(const RunFigures& run) { return run.origin; }

std::string joined(const std::string& a, const std::string& b) {
  return a + (a.empty() || b.empty() ? "" : " ") + b;
}

// Whether every label has runs of every origin, so that each can be compared to itself.
bool same_labels(std::span<const RunFigures* const> runs) {
  const std::size_t origins = split(runs, origin_of).size();
  const auto labels = split(runs, label_of);
  return origins > 1 && std::all_of(labels.begin(), labels.end(), [&](const auto& part) {
           return split(part.second, origin_of).size() == origins;
         });
}

// Stored runs of the same labels are compared label by label, others all with one another.
Grouping grouping_of(Sides sides, std::span<const RunFigures* const> runs) {
  switch (sides) {
    case Sides::cells:
      return {label_of, cell_of};
    case Sides::runs:
      if (same_labels(runs))
        return {[](const RunFigures& run) { return joined(cell_of(run), label_of(run)); },
                origin_of};
      return {cell_of, [](const RunFigures& run) { return joined(run.origin, label_of(run)); }};
    case Sides::labels:
      break;
  }
  return {cell_of, label_of};
}

Side side_of(const std::string& name, const Runs& runs) {
  Side side{.name = name, .runs = runs.size()};
  for (const RunFigures* run : runs) {
    if (run->validity.level == Validity::Level::suspect) ++side.suspect;
    if (run->validity.level == Validity::Level::invalid) ++side.invalid;
    side.repeated += run->repeated;
    if (run->steered > 0) ++side.steered;
    if (!run->steered_as.empty()) side.steered_as.push_back(run->steered_as);
    if (run->unfinished > 0) ++side.unfinished;
    if (run->open_for > Duration::zero()) ++side.open;
    if (run->violations > 0) ++side.violated;
    for (const Judged& part : run->judged) add_judged(side.judged, part);
    if (!run->failure.empty()) side.failed.push_back({run->identity.repetition, run->failure});
  }
  return side;
}

std::vector<double> values_of(std::span<const RunFigures* const> runs, std::size_t metric) {
  std::vector<double> values;
  for (const RunFigures* run : runs) values.push_back(run->values[metric]);
  return values;
}

// An open run may fail, too.
bool unfinished(const Runs& runs) {
  return std::any_of(runs.begin(), runs.end(),
                     [](const auto* run) { return run->unfinished > 0 || !run->failure.empty(); });
}

// Open runs do the work that they have time for, so that the time must be the same.
bool same_time(const Runs& first, const Runs& side) {
  const Duration time = first.front()->open_for;
  const auto has_it = [time](const RunFigures* run) { return run->open_for == time; };
  return std::all_of(first.begin(), first.end(), has_it) &&
         std::all_of(side.begin(), side.end(), has_it);
}

bool comparable(const Runs& first, const Runs& side) {
  return !unfinished(first) && !unfinished(side) && same_time(first, side);
}

// Always the side against the first, so that more than 1 means more than the first.
Versus versus_of(const Runs& first, const Runs& side, std::size_t metric, double confidence) {
  const PairedSamples samples = pair_up(side, first, {metric, metric});
  const TwoSamples both{samples.first, samples.second, samples.paired};
  Versus versus{.difference = estimate_difference(both, confidence),
                .ratio = estimate_ratio(both, confidence),
                .paired = samples.paired};
  versus.verdict = judge(versus.difference);
  const bool applies = versus.verdict != Verdict::inapplicable;
  if (applies && !comparable(first, side)) versus.verdict = Verdict::not_comparable;
  return versus;
}

std::string count_text(std::size_t count, std::size_t all) {
  return std::to_string(count) + " of " + std::to_string(all) + " runs";
}

// "organic-grid: 2 of 3 runs failed: the root is out of reach (repetitions 1, 3)".
void warn_of_failures(const Side& side, std::vector<std::string>& warnings) {
  std::map<std::string, std::vector<std::string>> reasons;
  for (const FailedRun& run : side.failed)
    reasons[run.reason].push_back(std::to_string(run.repetition + 1));
  for (const auto& [reason, repetitions] : reasons) {
    std::string list;
    for (const std::string& repetition : repetitions)
      list += (list.empty() ? "" : ", ") + repetition;
    warnings.push_back(side.name + ": " + count_text(repetitions.size(), side.runs) +
                       " failed: " + reason +
                       (repetitions.size() == 1 ? " (repetition " : " (repetitions ") + list + ")");
  }
}

// Runs that are kept for being valid are a choice, which nobody may overlook.
void warn_of_choice(const Side& side, std::vector<std::string>& warnings) {
  if (side.repeated == 0) return;
  warnings.push_back(fmt::format(
      "{}: {} invalid {} put aside and done again (--retry), so what is left is chosen by validity",
      side.name, side.repeated, side.repeated == 1 ? "run was" : "runs were"));
}

void warn_of_steering(const Side& side, std::vector<std::string>& warnings) {
  if (side.steered == 0) return;
  std::string text = side.name + ": " + count_text(side.steered, side.runs) +
                     " steered by hand: faults befell it that its scenario does not have";
  if (!side.steered_as.empty())
    text += fmt::format("; {} does the same again", fmt::join(side.steered_as, ", "));
  warnings.push_back(std::move(text));
}

void warn_of_side(const Side& side, std::vector<std::string>& warnings) {
  const auto warn = [&](std::size_t count, const char* what) {
    if (count > 0) warnings.push_back(side.name + ": " + count_text(count, side.runs) + " " + what);
  };
  warn(side.invalid, "invalid: the machine could not keep up, so times are distorted");
  warn(side.suspect, "suspect: the machine barely kept up");
  warn_of_steering(side, warnings);
  warn_of_choice(side, warnings);
  warn_of_failures(side, warnings);
  warn(side.unfinished, "did not complete every task, so no side is better or worse");
  warn(side.violated, "broke an invariant");
}

// The reason of the worst run, with its remedy.
void warn_of_validity(const Runs& runs, std::vector<std::string>& warnings) {
  const auto worst = std::max_element(runs.begin(), runs.end(), [](const auto* a, const auto* b) {
    return std::pair(a->validity.level, a->validity.worst_lag) <
           std::pair(b->validity.level, b->validity.worst_lag);
  });
  if (worst == runs.end() || (*worst)->validity.level == Validity::Level::valid) return;
  warnings.push_back((*worst)->identity.label + ": " + (*worst)->validity.reason + "; " +
                     (*worst)->validity.remedy);
}

// A multiset, because a run of threads may be repeated with the seed it had.
std::multiset<std::uint64_t> seeds_of(const Runs& runs) {
  std::multiset<std::uint64_t> seeds;
  for (const RunFigures* run : runs) seeds.insert(run->identity.seed);
  return seeds;
}

void warn_of_seeds(const Runs& first, const Runs& side, const std::string& name, bool paired,
                   std::vector<std::string>& warnings) {
  if (std::min(first.size(), side.size()) < 2 || seeds_of(first) == seeds_of(side)) return;
  warnings.push_back(name + (paired ? ": only the runs whose seeds both sides have are paired"
                                    : ": the sides have no seeds in common, so Welch's unpaired "
                                      "test is used"));
}

std::string engine_of(std::span<const RunFigures* const> runs) {
  std::set<std::string> engines;
  for (const RunFigures* run : runs) engines.insert(run->identity.engine);
  std::string text;
  for (const std::string& engine : engines) text += (text.empty() ? "" : " and ") + engine;
  return text;
}

std::string title_of(const RunFigures& run, const std::string& common) {
  return joined(run.identity.scenario, common);
}

// Whatever makes the figures worth less than they look.
void add_warnings(Comparison& comparison, const std::vector<std::pair<std::string, Runs>>& parts) {
  std::vector<std::string>& warnings = comparison.warnings;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    warn_of_side(comparison.sides[i], warnings);
    warn_of_validity(parts[i].second, warnings);
    if (i > 0 && !same_time(parts[0].second, parts[i].second))
      warnings.push_back(parts[i].first + ": open runs are compared with those of their duration");
    if (i > 0)
      warn_of_seeds(parts[0].second, parts[i].second, parts[i].first,
                    comparison.rows.front().versus[i].paired, warnings);
  }
  const auto few = [](const Side& side) { return side.runs < 2; };
  if (std::any_of(comparison.sides.begin(), comparison.sides.end(), few))
    warnings.emplace_back("a single run says nothing about chance: repeat it to get intervals");
}

// In whose direction one side is better; a wait of nothing is as good as any.
bool is_better(const Metric& metric, double a, double b) {
  return metric.better == Better::more ? a > b : a < b;
}

// By the first of these that ranks and applies to all.
const ComparisonRow* ranking_row(const std::vector<ComparisonRow>& rows, bool by_any) {
  const auto ranks = [](const ComparisonRow& row) {
    return row.metric->better != Better::neither &&
           std::all_of(row.means.begin(), row.means.end(),
                       [](const Estimate& mean) { return mean.exists(); });
  };
  if (!by_any)
    for (const std::string_view name : {"mean_response", "makespan"})
      for (const ComparisonRow& row : rows)
        if (row.metric->name == name && ranks(row)) return &row;
  const auto found = std::find_if(rows.begin(), rows.end(), ranks);
  return by_any && found != rows.end() ? &*found : nullptr;
}

std::optional<Winner> winner_of(const std::vector<ComparisonRow>& rows,
                                const std::vector<std::pair<std::string, Runs>>& parts,
                                const CompareOptions& options) {
  const ComparisonRow* row = ranking_row(rows, !options.only.empty());
  if (row == nullptr || parts.size() < 2) return {};
  std::vector<std::size_t> order;
  for (std::size_t side = 0; side < parts.size(); ++side) order.push_back(side);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return is_better(*row->metric, row->means[a].value, row->means[b].value);
  });
  const auto metric = static_cast<std::size_t>(row->metric - metrics().data());
  return Winner{.metric = row->metric,
                .best = order[0],
                .second = order[1],
                .versus = versus_of(parts[order[1]].second, parts[order[0]].second, metric,
                                    options.confidence)};
}

Comparison compare_parts(const std::string& common,
                         const std::vector<std::pair<std::string, Runs>>& parts,
                         const CompareOptions& options) {
  const double confidence = options.confidence;
  Comparison comparison{.title = title_of(*parts.front().second.front(), common),
                        .engine = {},
                        .confidence = confidence,
                        .sides = {},
                        .rows = {},
                        .warnings = {}};
  Runs all;
  for (const auto& [name, runs] : parts) {
    comparison.sides.push_back(side_of(name, runs));
    all.insert(all.end(), runs.begin(), runs.end());
  }
  comparison.engine = engine_of(all);
  std::vector<const Metric*> wanted = options.only;
  if (wanted.empty())
    for (const Metric& metric : metrics()) wanted.push_back(&metric);
  for (const Metric* metric : wanted) {
    const auto m = static_cast<std::size_t>(metric - metrics().data());
    ComparisonRow row{.metric = metric, .unit = metric->unit, .means = {}, .versus = {}};
    for (const auto& [name, runs] : parts) {
      row.means.push_back(estimate_mean(values_of(runs, m), confidence));
      row.versus.push_back(versus_of(parts.front().second, runs, m, confidence));
    }
    comparison.rows.push_back(std::move(row));
  }
  comparison.winner = winner_of(comparison.rows, parts, options);
  add_warnings(comparison, parts);
  return comparison;
}

}  // namespace

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::less:
      return "less";
    case Verdict::more:
      return "more";
    case Verdict::not_distinguishable:
      return "not distinguishable";
    case Verdict::too_few:
      return "too few runs";
    case Verdict::not_comparable:
      return "not comparable";
    case Verdict::inapplicable:
      break;
  }
  return "not applicable";
}

bool Comparison::inconclusive() const {
  return std::any_of(sides.begin(), sides.end(), [](const Side& side) {
    return side.invalid + side.steered > 0 || side.runs < 2;
  });
}

bool Comparison::violated() const {
  return std::any_of(sides.begin(), sides.end(),
                     [](const Side& side) { return side.violated > 0; });
}

namespace {

// Whether any side has a figure of that metric.
bool has_figure(const std::vector<ComparisonRow>& rows, std::string_view metric) {
  return std::any_of(rows.begin(), rows.end(), [metric](const ComparisonRow& row) {
    return row.metric->name == metric &&
           std::any_of(row.means.begin(), row.means.end(),
                       [](const Estimate& mean) { return mean.exists(); });
  });
}

// Whether overlays are compared without work: their peers have links, and no task moved.
bool overlays_alone(const std::vector<ComparisonRow>& rows) {
  const auto any = [&](std::string_view metric) {
    return std::ranges::any_of(rows, [&](const ComparisonRow& row) {
      return row.metric->name == metric && std::ranges::any_of(row.means, [](const Estimate& mean) {
               return mean.exists() && mean.value > 0;
             });
    });
  };
  return any("mean_path") && !any("job_messages");
}

// The short table of overlays without work.
constexpr std::string_view overlay_headlines[] = {"in_degree_deviation",
                                                  "clustering",
                                                  "mean_path",
                                                  "dead_links",
                                                  "largest_part",
                                                  "cycles_to_order",
                                                  "information_messages",
                                                  "information_messages_top1"};

}  // namespace

bool Comparison::headline(const ComparisonRow& row) const {
  const std::string& name = row.metric->name;
  if (overlays_alone(rows))
    return std::ranges::find(overlay_headlines, name) != std::end(overlay_headlines) &&
           has_figure(rows, name);
  const auto open = [](const Side& side) { return side.open > 0; };
  if (name == "open_tasks") return std::any_of(sides.begin(), sides.end(), open);
  if (name == "lower_bound" || name == "over_lower_bound")
    return has_figure(rows, "over_lower_bound");
  return row.metric->headline;
}

Verdict judge(const Estimate& difference) {
  if (!difference.exists()) return Verdict::inapplicable;
  if (!difference.interval) return Verdict::too_few;
  if (difference.interval->contains(0)) return Verdict::not_distinguishable;
  return difference.value < 0 ? Verdict::less : Verdict::more;
}

PairedSamples pair_up(std::span<const RunFigures* const> first,
                      std::span<const RunFigures* const> second, MetricPair positions) {
  // Each run of the second side is used for one pair at most; what is left over stays out.
  std::multimap<std::uint64_t, double> waiting;
  for (const RunFigures* run : second)
    waiting.emplace(run->identity.seed, run->values[positions.second]);
  PairedSamples pairs{.first = {}, .second = {}, .paired = true};
  for (const RunFigures* run : first) {
    const auto partner = waiting.lower_bound(run->identity.seed);
    if (partner == waiting.end() || partner->first != run->identity.seed) continue;
    pairs.first.push_back(run->values[positions.first]);
    pairs.second.push_back(partner->second);
    waiting.erase(partner);
  }
  const bool all = pairs.first.size() == first.size() && pairs.first.size() == second.size();
  if (pairs.first.size() >= 2 || all) return pairs;
  return {values_of(first, positions.first), values_of(second, positions.second), false};
}

std::vector<Comparison> compare(std::span<const RunFigures> runs, const CompareOptions& options) {
  const std::vector<RunFigures> spread = in_every_cell(runs);
  Runs all;
  for (const RunFigures& run : spread) all.push_back(&run);
  const Grouping grouping = grouping_of(options.sides, all);
  std::vector<Comparison> comparisons;
  for (const auto& [common, part] : split(all, grouping.common))
    comparisons.push_back(compare_parts(common, split(part, grouping.side), options));
  return comparisons;
}

}  // namespace rhizome::tools
