// A sweep as one answer: a metric against what was swept, and for each scheduler which setting is
// best, and which others cannot be told from it.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "scenarios/outcome/metrics.hpp"
#include "scenarios/text/json.hpp"
#include "tools/compare/figures.hpp"
#include "tools/compare/statistics.hpp"
#include "tools/compare/text_options.hpp"
#include "tools/names.hpp"

namespace rhizome::tools {

// One setting of a scheduler, and what came of it.
struct SweepPoint {
  std::vector<std::string> values;  // of the keys that concern it, bare: 200ms, not "200ms"
  std::size_t runs = 0;
  Estimate mean{};
  bool sound =
      true;  // no run of it was invalid, steered, failed, lost a task or broke an invariant
};

// The best of the settings that differ in what can be chosen, under one condition of the rest.
struct SweepChoice {
  std::vector<std::size_t> candidates{};  // positions in the points of the side
  std::optional<std::size_t> best{};      // none where no candidate is sound
  std::vector<std::size_t> alike{};       // not distinguishable from the best
};

struct SweepSide {
  std::string label;
  std::vector<std::size_t> keys{};  // those that concern it, as positions in Sweep::keys
  // Those of them that can be chosen: options of its own; where the sweep has no options of
  // anybody, what is not given as the work, faults and losses are.
  std::vector<std::size_t> chosen{};
  std::vector<SweepPoint> points{};
  std::vector<SweepChoice> choices{};  // none for one setting, or if nothing can be chosen
};

struct Sweep {
  std::string scenario;
  std::string engine;
  double confidence = 0.95;
  const Metric* metric = nullptr;
  std::vector<std::string> keys;  // as an override names them
  std::vector<SweepSide> sides;
};

// Nothing where nothing was swept. Runs of one source, as they ran. Settings are compared to the
// best one over common seeds, and the tests of a choice are corrected together (Holm).
[[nodiscard]] std::optional<Sweep> sweep_of(std::span<const RunFigures> runs, const Metric& metric,
                                            double confidence);

// A row for each setting and a column for each scheduler; of two keys a grid for each scheduler.
[[nodiscard]] std::string text_of(const Sweep& sweep, const TextOptions& options);
[[nodiscard]] std::string markdown_of(const Sweep& sweep);
[[nodiscard]] Json json_of(const Sweep& sweep);

}  // namespace rhizome::tools
