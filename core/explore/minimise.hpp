// Repeats a history, exactly or as far as possible; and shortens one that breaks a rule.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "core/explore/search.hpp"

namespace rhizome::core {

// Takes the given choices that are possible in turn, leaves out others, and then takes the first
// usual choices, until the history is over or has that length. Nothing if no rule is broken.
[[nodiscard]] std::optional<BrokenHistory> follow(System& system, std::span<const Choice> choices,
                                                  std::size_t depth);

// Leaves out choices as long as the same rule is broken. The remaining choices keep their order.
// `enough`: asked before each try: whether to leave it as it is.
[[nodiscard]] BrokenHistory minimise(System& system, BrokenHistory history, std::size_t depth,
                                     const std::function<bool()>& enough = {});

}  // namespace rhizome::core
