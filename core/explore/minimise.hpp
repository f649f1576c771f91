// Repeats a history, exactly or as far as possible; and shortens one that breaks a rule.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/explore/search.hpp"

namespace rhizome::core {

// Takes those choices that are possible when their turn comes, leaves out others, and then takes
// whatever comes first, nothing rare, until the history is over or so long. Nothing where no rule
// is broken.
[[nodiscard]] std::optional<BrokenHistory> follow(System& system, std::span<const Choice> choices,
                                                  std::size_t depth);

// Leaves out choices as long as the same rule is broken. The remaining choices keep their order.
[[nodiscard]] BrokenHistory minimise(System& system, BrokenHistory history, std::size_t depth);

}  // namespace rhizome::core
