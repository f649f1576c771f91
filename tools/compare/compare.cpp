#include "tools/compare/compare.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "agents/schedulers.hpp"
#include "scenarios/text/enumerators.hpp"
#include "tools/compare/figures.hpp"
#include "tools/compare/warnings.hpp"

namespace rhizome::tools {

namespace {

using NameOf = std::function<std::string(const RunFigures&)>;

// Parts by name, in order of first appearance.
Parts split(std::span<const RunFigures* const> runs, const NameOf& name_of_run) {
  Parts parts;
  for (const RunFigures* run : runs) {
    const std::string name = name_of_run(*run);
    auto part = std::ranges::find_if(parts, [&](const auto& known) { return known.first == name; });
    if (part == parts.end()) part = parts.insert(parts.end(), {name, {}});
    part->second.push_back(run);
  }
  return parts;
}

// How runs are grouped: sides within a group share `common` and differ in `side`.
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

// Whether every label has runs of every origin, so that each label can be compared with itself.
bool same_labels(std::span<const RunFigures* const> runs) {
  const std::size_t origins = split(runs, origin_of).size();
  const auto labels = split(runs, label_of);
  return origins > 1 && std::ranges::all_of(labels, [&](const auto& part) {
           return split(part.second, origin_of).size() == origins;
         });
}

// Stored runs with the same labels are compared label by label, other stored runs all with one
// another.
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
    if (run->lost) ++side.lost;
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

// An open run may fail too. Of a run that lost a process only a part is counted.
bool incomplete(const Runs& runs) {
  return std::ranges::any_of(runs, [](const auto* run) {
    return run->unfinished > 0 || !run->failure.empty() || run->lost;
  });
}

bool comparable(const Runs& first, const Runs& side) {
  return !incomplete(first) && !incomplete(side) && same_time(first, side);
}

// The side relative to the first, so that a ratio above 1 means more than the first.
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

// Whether a is better than b in the direction of the metric. A value of 0, such as no waiting, is
// compared like any other.
bool is_better(const Metric& metric, double a, double b) {
  return metric.better == Better::more ? a > b : a < b;
}

// The row that ranks the sides: the first one with a direction and a mean for every side. Unless
// `by_any`, only mean_response and makespan are considered.
const ComparisonRow* ranking_row(const std::vector<ComparisonRow>& rows, bool by_any) {
  const auto ranks = [](const ComparisonRow& row) {
    return row.metric->better != Better::neither &&
           std::ranges::all_of(row.means, [](const Estimate& mean) { return mean.exists(); });
  };
  if (!by_any)
    for (const std::string_view name : {"mean_response", "makespan"})
      for (const ComparisonRow& row : rows)
        if (row.metric->name == name && ranks(row)) return &row;
  const auto found = std::ranges::find_if(rows, ranks);
  return by_any && found != rows.end() ? &*found : nullptr;
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

// The sides that can win, the best first. Bounds cannot be deployed, so they do not compete.
std::vector<std::size_t> ranked(const ComparisonRow& row, const Parts& parts) {
  std::vector<std::size_t> order;
  for (std::size_t side = 0; side < parts.size(); ++side)
    if (!agents::is_bound(parts[side].second.front()->identity.scheduler)) order.push_back(side);
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    return is_better(*row.metric, row.means[a].value, row.means[b].value);
  });
  return order;
}

std::optional<Winner> winner_of(const std::vector<ComparisonRow>& rows, const Parts& parts,
                                const CompareOptions& options) {
  // Overlays without work are measured, not ranked, unless the user chose the metrics.
  if (options.only.empty() && overlays_alone(rows)) return {};
  const ComparisonRow* row = ranking_row(rows, !options.only.empty());
  if (row == nullptr) return {};
  const std::vector<std::size_t> order = ranked(*row, parts);
  if (order.size() < 2) return {};
  const auto metric = static_cast<std::size_t>(row->metric - metrics().data());
  return Winner{.metric = row->metric,
                .best = order[0],
                .second = order[1],
                .versus = versus_of(parts[order[1]].second, parts[order[0]].second, metric,
                                    options.confidence)};
}

Comparison compare_parts(const std::string& common, const Parts& parts,
                         const CompareOptions& options) {
  const double confidence = options.confidence;
  Comparison comparison{.title = title_of(*parts.front().second.front(), common),
                        .confidence = confidence};
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
    ComparisonRow row{.metric = metric, .unit = metric->unit};
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
  return one_of<Verdict, std::string_view>(
      verdict,
      {"less", "more", "not distinguishable", "too few runs", "not comparable", "not applicable"});
}

bool Comparison::inconclusive() const {
  return std::ranges::any_of(
      sides, [](const Side& side) { return side.invalid + side.steered > 0 || side.runs < 2; });
}

bool Comparison::violated() const {
  return std::ranges::any_of(sides, [](const Side& side) { return side.violated > 0; });
}

namespace {

// Whether any side has a figure of that metric.
bool has_figure(const std::vector<ComparisonRow>& rows, std::string_view metric) {
  return std::ranges::any_of(rows, [metric](const ComparisonRow& row) {
    return row.metric->name == metric &&
           std::ranges::any_of(row.means, [](const Estimate& mean) { return mean.exists(); });
  });
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

bool Comparison::overlays_alone() const { return tools::overlays_alone(rows); }

bool Comparison::headline(const ComparisonRow& row) const {
  const std::string& name = row.metric->name;
  if (overlays_alone())
    return std::ranges::find(overlay_headlines, name) != std::end(overlay_headlines) &&
           has_figure(rows, name);
  const auto open = [](const Side& side) { return side.open > 0; };
  if (name == "open_tasks") return std::ranges::any_of(sides, open);
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
  // Each run of the second side is used for one pair at most; surplus runs are left out.
  std::multimap<std::uint64_t, double> waiting;
  for (const RunFigures* run : second)
    waiting.emplace(run->identity.seed, run->values[positions.second]);
  PairedSamples pairs{.paired = true};
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
