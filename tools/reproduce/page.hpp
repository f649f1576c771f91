// The results of a reproduction: text for a terminal, an index with a page for each result, and
// JSON.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tools/chart/chart.hpp"
#include "tools/chart/colours.hpp"
#include "tools/compare/figures.hpp"
#include "tools/compare/judgement.hpp"
#include "tools/names.hpp"
#include "tools/reproduce/entry.hpp"
#include "tools/reproduce/sketches.hpp"

namespace rhizome::tools {

// Whether a published claim holds in our runs: cell by cell with intervals, and then as a whole.
// The two ways to count: a transfer of several portions is one message, or as many as its portions.
enum class Counting : std::uint8_t { messages, portions, neither, last = neither };
[[nodiscard]] std::string_view name_of(Counting counting);

struct CellVerdict {
  std::string cell;
  Standing standing = Standing::inconclusive;
  Estimate left;
  std::optional<Estimate> right{};  // nothing where the right side is a number or another cell
  Estimate difference{};            // left - right
  Estimate ratio{};                 // left / right, where the right side is no number
};

struct ClaimVerdict {
  const PublishedClaim* claim = nullptr;
  Counting counting = Counting::neither;
  std::vector<CellVerdict> cells{};
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

// One published result with our verdicts on its claims.
struct Reproduced {
  Reproduction result;
  std::size_t repetitions = 0;  // repetitions of its study
  std::vector<ClaimVerdict> verdicts;
  std::vector<Chart> charts;
};

// Judges all claims of `result`, and makes its figures from the runs of its study. The verdicts
// point into the result, so it must not move afterwards; hence the unique_ptr.
[[nodiscard]] std::unique_ptr<Reproduced> reproduce(Reproduction result,
                                                    std::span<const RunFigures> runs,
                                                    double confidence,
                                                    const Sketches& sketches = {});

// The colours of the series of all figures.
[[nodiscard]] const Colours& colours_of_figures();

using ReproducedList = std::vector<std::unique_ptr<Reproduced>>;

// The gravest standing: fails, then inconclusive or not distinguishable, then holds.
[[nodiscard]] Standing overall(const ReproducedList& list);

struct PageOptions {
  std::string command{};  // makes the pages
  std::string version{};
  std::uint64_t seed = 0;
  double confidence = 0.95;
  std::string no_figures{};            // why the pages have no SVG files; empty: they have
  std::vector<std::string> partial{};  // sentences: parts that were not judged, and why
};

[[nodiscard]] std::string text_of(const ReproducedList& list, const PageOptions& options,
                                  bool details);
// The index: every result with a link to its page and the number of its verdicts.
[[nodiscard]] std::string index_of(const ReproducedList& list, const PageOptions& options);
// The page of one result: its claims, figures and cells. `page_name` is its file name, in the
// folder of the index.
[[nodiscard]] std::string page_of(const Reproduced& one, const PageOptions& options);
[[nodiscard]] std::string page_name(const Reproduction& result);
[[nodiscard]] std::string json_of(const ReproducedList& list, const PageOptions& options);

}  // namespace rhizome::tools
