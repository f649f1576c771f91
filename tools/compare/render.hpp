// Renders comparisons and claims as text, Markdown and JSON.
#pragma once

#include <span>
#include <string>

#include "scenarios/text/json.hpp"
#include "tools/compare/compare.hpp"
#include "tools/compare/judgement.hpp"
#include "tools/compare/layout.hpp"
#include "tools/compare/statistics.hpp"
#include "tools/names.hpp"

namespace rhizome::tools {

// Aligned UTF-8, with no line wider than the page. If two sides fit, they stand beside their ratio
// and verdict. Otherwise blocks of means and blocks of ratios follow each other.
[[nodiscard]] std::string text_of(const Comparison& comparison, const TextOptions& options);
[[nodiscard]] std::string text_of(std::span<const ClaimResult> claims, const TextOptions& options);

[[nodiscard]] std::string markdown_of(const Comparison& comparison, bool all);
[[nodiscard]] std::string markdown_of(std::span<const ClaimResult> claims);

// One document with "schema": "rhizome.comparison/2". It has every metric, not only headlines.
// "sweep" has the sweep of each metric, and is empty if nothing was swept. "partial" says why only
// a part of the runs is included, and is empty if all are.
[[nodiscard]] std::string json_of(std::span<const Comparison> comparisons,
                                  std::span<const ClaimResult> claims,
                                  const Json& sweeps = Json::array(),
                                  std::span<const std::string> partial = {});

// Estimates as JSON, the same in every document.
// JSON has no infinity and no NaN: null.
[[nodiscard]] Json json_number(double value);

// {"value": ..., "interval": [low, high] or null}.
[[nodiscard]] Json json_of(const Estimate& estimate);

}  // namespace rhizome::tools
