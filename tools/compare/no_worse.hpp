// Whether later runs are no worse than the first of the compared runs: a verdict for a user who
// changes a scheduler, as claims are for a user who compares two.
#pragma once

#include <span>
#include <vector>

#include "tools/compare/figures.hpp"
#include "tools/compare/judgement.hpp"
#include "tools/names.hpp"

namespace rhizome::tools {

struct NoWorse {
  const Metric* metric = nullptr;  // a metric with a good direction
  double percent = 0;              // how much worse it may be
};

// A result for each bound, label and later run. It holds if the whole interval of the ratio to the
// first run lies within the bound, and fails if the whole interval lies beyond it.
[[nodiscard]] std::vector<ClaimResult> judge_no_worse(std::span<const NoWorse> bounds,
                                                      std::span<const RunFigures> runs,
                                                      double confidence);

}  // namespace rhizome::tools
