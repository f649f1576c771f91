// A comparison: two or more sides, metric by metric, over common seeds. A value that every renderer
// reads, and that says itself how far it can be trusted.
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

// What is set side by side.
enum class Sides : std::uint8_t {
  labels,  // the schedulers of each cell
  cells,   // the cells of a sweep, for each label
  runs     // stored runs, for each label where all have the same, else all at once
};

struct CompareOptions {
  Sides sides = Sides::labels;
  double confidence = 0.95;
  std::vector<const Metric*> only{};  // of all metrics; none: all of them
};

// A run that its peers gave up.
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
  std::size_t repeated = 0;               // runs put aside for others, because they were invalid
  std::size_t steered = 0;                // runs to which somebody did something by hand
  std::size_t unfinished = 0;             // runs in which a task never completed
  std::size_t violated = 0;               // runs that broke an invariant
  std::size_t open = 0;                   // open runs, which ended at their time
  std::vector<FailedRun> failed{};        // of those unfinished
  std::vector<std::string> steered_as{};  // scenarios that do the steered ones again
  std::vector<Judged> judged{};           // of all runs together, by invariant
};

// What the interval of a difference says.
enum class Verdict : std::uint8_t {
  less,
  more,
  not_distinguishable,  // the interval contains 0
  too_few,              // fewer than two runs: nothing is known of chance
  not_comparable,       // a run did not complete every task, so it did less work for its figures,
                        // or had another time to do it in, being open
  inapplicable          // the metric does not apply to some run
};

[[nodiscard]] std::string_view name_of(Verdict verdict);

// One side against the first, in one metric.
struct Versus {
  Estimate difference;  // this side - the first
  Estimate ratio;       // this side / the first
  Verdict verdict = Verdict::too_few;
  bool paired = false;
};

// One metric.
struct ComparisonRow {
  const Metric* metric = nullptr;
  std::string unit{};           // in which the figures are; that of the metric unless made fitting
  std::vector<Estimate> means;  // by side
  std::vector<Versus> versus;   // by side; the first one's is empty of meaning
};

// Which side did best in one metric, against the best of the others. Where their interval contains
// zero there is no winner, and where runs prove nothing none is named.
struct Winner {
  const Metric* metric = nullptr;
  std::size_t best = 0;    // side
  std::size_t second = 0;  // side
  Versus versus{};         // the best against the second
};

struct Comparison {
  std::string title;   // scenario and what is common to all sides
  std::string engine;  // "virtual", "threads", or both
  double confidence = 0.95;
  std::vector<Side> sides;
  std::vector<ComparisonRow> rows;    // in the order of metrics()
  std::vector<std::string> warnings;  // sentences
  std::optional<Winner> winner{};     // none: of one side, or of runs without a common metric

  // A run was invalid or steered, or there are too few: its verdicts prove nothing.
  [[nodiscard]] bool inconclusive() const;
  [[nodiscard]] bool violated() const;
  // Belongs in the short table: a headline; open tasks of open runs; the lower bound of the
  // makespan if tasks need each other. Overlays without work have headlines of their own.
  [[nodiscard]] bool headline(const ComparisonRow& row) const;
};

// One comparison per cell, per label, or for each cell of stored runs. Sides keep the order of
// their first run; one with a single side has means only.
[[nodiscard]] std::vector<Comparison> compare(std::span<const RunFigures> runs,
                                              const CompareOptions& options);

// Both samples of a metric as the sides' runs give them: paired by seed where at least two seeds
// are common to both sides, or all are; else as they are.
struct PairedSamples {
  std::vector<double> first;
  std::vector<double> second;
  bool paired = false;
};
// Positions in metrics(), which may differ between the sides.
struct MetricPair {
  std::size_t first = 0;
  std::size_t second = 0;
};
[[nodiscard]] PairedSamples pair_up(std::span<const RunFigures* const> first,
                                    std::span<const RunFigures* const> second,
                                    MetricPair positions);

[[nodiscard]] Verdict judge(const Estimate& difference);

}  // namespace rhizome::tools
