// Comparisons and claims for people (text, Markdown) and for programs (JSON).
#pragma once

#include <span>
#include <string>

#include "scenarios/text/json.hpp"
#include "tools/compare/compare.hpp"
#include "tools/compare/judgement.hpp"
#include "tools/compare/text_options.hpp"
#include "tools/names.hpp"

namespace rhizome::tools {

// Aligned UTF-8, no line wider than that. Two sides that fit stand beside their ratio and verdict;
// else there is a block of means and one of ratios, and as many of them as it takes.
[[nodiscard]] std::string text_of(const Comparison& comparison, const TextOptions& options);
[[nodiscard]] std::string text_of(std::span<const ClaimResult> claims, const TextOptions& options);

[[nodiscard]] std::string markdown_of(const Comparison& comparison, bool all);
[[nodiscard]] std::string markdown_of(std::span<const ClaimResult> claims);

// One document with "schema": "rhizome.comparison/2"; every metric, whatever is a headline. "sweep"
// has what was swept, metric by metric, and is empty where nothing was; "partial" says why it is of
// a part of the runs only, and is empty of a whole.
[[nodiscard]] std::string json_of(std::span<const Comparison> comparisons,
                                  std::span<const ClaimResult> claims,
                                  const Json& sweeps = Json::array(),
                                  std::span<const std::string> partial = {});

}  // namespace rhizome::tools
