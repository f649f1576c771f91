// A sweep as one answer: a metric for each setting, and for each scheduler the best setting and the
// settings that cannot be distinguished from it.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "scenarios/outcome/metrics.hpp"
#include "scenarios/text/json.hpp"
#include "tools/compare/figures.hpp"
#include "tools/compare/layout.hpp"
#include "tools/compare/statistics.hpp"
#include "tools/names.hpp"

namespace rhizome::tools {

// One setting of a scheduler, and its result.
struct SweepPoint {
  std::vector<std::string> values;  // of the keys that concern it, unquoted: 200ms, not "200ms"
  std::size_t runs = 0;
  Estimate mean{};
  bool sound = true;  // no run was invalid, steered or failed, lost a task or broke an invariant
};

// The best of the settings that differ only in keys that can be chosen, with all other keys equal.
struct SweepChoice {
  std::vector<std::size_t> candidates{};  // positions in the points of the side
  std::optional<std::size_t> best{};      // none if no candidate is sound
  std::vector<std::size_t> alike{};       // not distinguishable from the best
  std::size_t incomparable = 0;           // sound ones of another duration, or without the metric
};

struct SweepSide {
  std::string label;
  std::vector<std::size_t> keys{};  // keys that concern it, as positions in Sweep::keys
  // The keys among them that can be chosen: the scheduler's own options. If the sweep has no
  // scheduler's options at all, all keys except those that are given: work, faults, losses,
  // jitter, seeds and durations. None if neither less nor more of the metric is better.
  std::vector<std::size_t> chosen{};
  std::vector<SweepPoint> points{};
  std::vector<SweepChoice> choices{};  // none for one setting, or if no key can be chosen
};

struct Sweep {
  std::string scenario;
  std::string engine;
  double confidence = 0.95;
  const Metric* metric = nullptr;
  std::vector<std::string> keys{};  // as in overrides
  std::vector<SweepSide> sides{};
};

// None if nothing was swept. `runs` must come from one source, and not be spread over cells.
// Settings are compared with the best one over common seeds. The tests of a choice are corrected
// together (Holm).
[[nodiscard]] std::optional<Sweep> sweep_of(std::span<const RunFigures> runs, const Metric& metric,
                                            double confidence);

// One row for each setting and one column for each scheduler; for two keys, a grid for each
// scheduler.
[[nodiscard]] std::string text_of(const Sweep& sweep, const TextOptions& options);
[[nodiscard]] std::string markdown_of(const Sweep& sweep);
[[nodiscard]] Json json_of(const Sweep& sweep);

}  // namespace rhizome::tools
