// Whether later runs are no worse than the first of those that are compared: a verdict for whoever
// changes a scheduler, as claims are for whoever compares two.
#pragma once

#include <span>
#include <vector>

#include "tools/compare/figures.hpp"
#include "tools/compare/judgement.hpp"
#include "tools/names.hpp"

namespace rhizome::tools {

struct NoWorse {
  const Metric* metric = nullptr;  // one that has a good direction
  double percent = 0;              // by which it may be worse
};

// A result for each bound, label and later run: holds where the whole interval of the ratio to the
// first lies within the bound, fails where it lies beyond.
[[nodiscard]] std::vector<ClaimResult> judge_no_worse(std::span<const NoWorse> bounds,
                                                      std::span<const RunFigures> runs,
                                                      double confidence);

}  // namespace rhizome::tools
