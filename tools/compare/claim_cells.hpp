// The results of a claim in all cells of a sweep, in one summary.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tools/compare/judgement.hpp"
#include "tools/names.hpp"

namespace rhizome::tools {

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

}  // namespace rhizome::tools
