// The judgement of a scenario's claims, and of an experiment as a whole.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/format/claim.hpp"
#include "scenarios/outcome/metrics.hpp"
#include "tools/compare/figures.hpp"
#include "tools/compare/statistics.hpp"
#include "tools/names.hpp"

namespace rhizome::tools {

// Graver ones later.
enum class Standing : std::uint8_t {
  holds,
  not_distinguishable,  // the interval allows both
  inconclusive,         // an invalid run, one steered or unfinished, or too few repetitions
  fails,
  last = fails
};

[[nodiscard]] std::string_view name_of(Standing standing);

struct ClaimResult {
  std::string claim{};  // as written
  std::string cell{};   // empty when nothing was swept
  Standing standing = Standing::inconclusive;
  Estimate difference{};  // left - right
  bool paired = false;
  std::string reason{};  // one sentence with the figures
};

// Every claim in every cell. A claim about a label that has no runs in a cell is inconclusive
// there.
[[nodiscard]] std::vector<ClaimResult> judge_claims(std::span<const Claim> claims,
                                                    std::span<const RunFigures> ran,
                                                    double confidence);

// The overall verdict: fails if a claim fails, or a run failed or broke an invariant; inconclusive
// if a run is invalid, a claim is inconclusive or not distinguishable; otherwise holds.
[[nodiscard]] Standing overall(std::span<const ClaimResult> claims,
                               std::span<const RunFigures> runs);

// The overall verdict in words. Runs that failed are listed with their reasons: "failed:
// organic-grid: the root is out of reach".
[[nodiscard]] std::string verdict_text(std::span<const ClaimResult> claims,
                                       std::span<const RunFigures> runs);

// The results of a claim in all cells of a sweep, in one summary.
struct ClaimSummary {
  std::string claim;
  Standing standing = Standing::holds;        // the gravest of all cells
  std::vector<const ClaimResult*> results{};  // by cell
};

// One summary for each claim, in the order of their first results. The results outlive them.
[[nodiscard]] std::vector<ClaimSummary> by_claim(std::span<const ClaimResult> results);

// "holds in 20 of 24 cells; fails in 4 (peers.count=20; ...).": the cells are named where it is not
// as claimed, the first of them if there are many.
[[nodiscard]] std::string text_of(const ClaimSummary& summary);

// Whether later runs are no worse than the first of the compared runs: a verdict for a user who
// changes a scheduler, as claims are for a user who compares two.
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
