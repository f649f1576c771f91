// A comparison: two or more sides, metric by metric, over common seeds. Every renderer reads this
// value, which includes warnings about its reliability.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/outcome/metrics.hpp"
#include "tools/compare/figures.hpp"
#include "tools/compare/statistics.hpp"
#include "tools/names.hpp"

namespace rhizome::tools {

// The kind of the sides of a comparison.
enum class Sides : std::uint8_t {
  labels,  // the schedulers of each cell
  cells,   // the cells of a sweep, for each label
  runs     // stored runs, for each label where all have the same labels, else all together
};

struct CompareOptions {
  Sides sides = Sides::labels;
  double confidence = 0.95;
  std::vector<const Metric*> only{};  // only these metrics; empty: all metrics
};

// A run that failed: its peers gave up.
struct FailedRun {
  std::uint32_t repetition = 0;  // from 0
  std::string reason;
};

// One side and the state of its runs.
struct Side {
  std::string name;
  std::size_t runs = 0;
  std::size_t suspect = 0;
  std::size_t invalid = 0;
  std::size_t repeated = 0;               // invalid runs that were repeated
  std::size_t steered = 0;                // runs that a user steered by hand
  std::size_t unfinished = 0;             // runs in which a task never completed
  std::size_t violated = 0;               // runs that broke an invariant
  std::size_t lost = 0;                   // runs in which a process was lost
  std::size_t open = 0;                   // open runs, which end at a fixed time
  std::vector<FailedRun> failed{};        // among the unfinished ones
  std::vector<std::string> steered_as{};  // scenarios that repeat the steered runs
  std::vector<Judged> judged{};           // all runs together, by invariant
};

// The meaning of the interval of a difference.
enum class Verdict : std::uint8_t {
  less,
  more,
  not_distinguishable,  // the interval contains 0
  too_few,              // fewer than two runs: chance cannot be estimated
  not_comparable,  // a run left tasks open or is counted in part, or open runs lasted differently
  inapplicable,    // the metric does not apply to some run
  last = inapplicable
};

[[nodiscard]] std::string_view name_of(Verdict verdict);

// One side compared with the first, in one metric.
struct Versus {
  Estimate difference;  // this side - the first
  Estimate ratio;       // this side / the first
  Verdict verdict = Verdict::too_few;
  bool paired = false;
};

// One metric of a comparison.
struct ComparisonRow {
  const Metric* metric = nullptr;
  std::string unit{};             // the unit of the figures; unless converted, that of the metric
  std::vector<Estimate> means{};  // by side
  std::vector<Versus> versus{};   // by side; that of the first side has no meaning
};

// The side that did best in one metric, against the second best. If the interval of their
// difference contains zero, there is no winner. If the runs prove nothing, no winner is named.
// Bounds take no part: they cannot be deployed.
struct Winner {
  const Metric* metric = nullptr;
  std::size_t best = 0;    // side
  std::size_t second = 0;  // side
  Versus versus{};         // the best against the second
};

struct Comparison {
  std::string title;     // scenario and what is common to all sides
  std::string engine{};  // "virtual", "threads", or both
  double confidence = 0.95;
  std::vector<Side> sides{};
  std::vector<ComparisonRow> rows{};    // in the order of metrics()
  std::vector<std::string> warnings{};  // sentences
  // None: fewer than two sides that can win, no metric that all sides have, or overlays without
  // work.
  std::optional<Winner> winner{};

  // Some run was invalid or steered, or a side has fewer than two runs: the verdicts prove nothing.
  [[nodiscard]] bool inconclusive() const;
  [[nodiscard]] bool violated() const;
  // Whether overlays are compared without work: their peers have links, and no task moved.
  [[nodiscard]] bool overlays_alone() const;
  // Whether the row belongs in the short table: headlines, open tasks of open runs, and the lower
  // bound of the makespan where tasks need each other. Comparisons of overlays without work have
  // their own headlines.
  [[nodiscard]] bool headline(const ComparisonRow& row) const;
};

// One comparison for each cell, for each label, or for each cell of stored runs. Sides keep the
// order of their first runs; a comparison with a single side has means only.
[[nodiscard]] std::vector<Comparison> compare(std::span<const RunFigures> runs,
                                              const CompareOptions& options);

// The samples of a metric on both sides. They are paired by seed if at least two seeds are common
// to both sides, or if all are; otherwise unpaired.
struct PairedSamples {
  std::vector<double> first{};
  std::vector<double> second{};
  bool paired = false;
};
// Positions in metrics(); the two sides may use different metrics.
struct MetricPair {
  std::size_t first = 0;
  std::size_t second = 0;
};
[[nodiscard]] PairedSamples pair_up(std::span<const RunFigures* const> first,
                                    std::span<const RunFigures* const> second,
                                    MetricPair positions);

[[nodiscard]] Verdict judge(const Estimate& difference);

}  // namespace rhizome::tools
