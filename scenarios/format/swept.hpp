// Which choices of a sweep concern which scheduler: the options of a scheduler concern no other
// scheduler.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/format/document.hpp"
#include "scenarios/format/scenario.hpp"

namespace rhizome::scenarios {

using Assignments = std::vector<std::pair<std::string, std::string>>;

// The path of a swept key, as an override names it: "peers.count", "scheduler.LABEL.max_children",
// "network.partition.0.from". Where the labels themselves are swept, schedulers are numbered.
[[nodiscard]] std::string swept_path(const Document& document, const Entry& entry,
                                     const Scenario& scenario);

// Whether the value of the key at that path can change the runs of the scheduler with that label.
[[nodiscard]] bool touches(std::string_view path, std::string_view label);

// The part of a cell's assignments that concerns a scheduler.
[[nodiscard]] Assignments choices_for(const Cell& cell, std::string_view label);

// The first cell with all of these choices; null where there is none.
[[nodiscard]] const Cell* cell_with(std::span<const Cell> cells, const Assignments& choices);

}  // namespace rhizome::scenarios
