// The judgement of a scenario's claims, and of an experiment as a whole.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/format/claim.hpp"
#include "tools/compare/figures.hpp"
#include "tools/compare/statistics.hpp"
#include "tools/names.hpp"

namespace rhizome::tools {

// Graver ones later.
enum class Standing : std::uint8_t {
  holds,
  not_distinguishable,  // the interval allows both
  inconclusive,         // an invalid run, one steered or unfinished, or too few repetitions
  fails
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

}  // namespace rhizome::tools
