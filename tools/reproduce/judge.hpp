// Whether a published claim holds in our runs: cell by cell with intervals, and then as a whole.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tools/compare/figures.hpp"
#include "tools/compare/judgement.hpp"
#include "tools/names.hpp"
#include "tools/reproduce/entry.hpp"

namespace rhizome::tools {

// The two ways to count: a transfer of several portions is one message, or as many as its portions.
enum class Counting : std::uint8_t { messages, portions, neither };
[[nodiscard]] std::string_view name_of(Counting counting);

struct CellVerdict {
  std::string cell;
  Standing standing = Standing::inconclusive;
  Estimate left;
  std::optional<Estimate> right{};  // nothing where the right side is a number or another cell
  Estimate difference;              // left - right
  Estimate ratio;                   // left / right, where the right side is no number
};

struct ClaimVerdict {
  const PublishedClaim* claim = nullptr;
  Counting counting = Counting::neither;
  std::vector<CellVerdict> cells;
  std::size_t holding = 0;
  std::size_t open = 0;  // not distinguishable, or inconclusive
  // Holds where every cell that the claim names does; fails where one does; else open.
  Standing standing = Standing::inconclusive;
};

// Judges by both ways of counting, unless the claim concerns no messages or only them. `runs`: of
// its study.
[[nodiscard]] std::vector<ClaimVerdict> judge_published(const PublishedClaim& claim,
                                                        std::span<const RunFigures> runs,
                                                        double confidence);

}  // namespace rhizome::tools
