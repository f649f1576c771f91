// What a sweep chose, for whom: the options of a scheduler concern nobody else.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/format/document.hpp"
#include "scenarios/format/scenario.hpp"

namespace rhizome::scenarios {

using Assignments = std::vector<std::pair<std::string, std::string>>;

// As an override names the key: "peers.count", "scheduler.LABEL.max_children",
// "network.partition.0.from". Where labels are swept themselves, schedulers are numbered.
[[nodiscard]] std::string swept_path(const Document& document, const Entry& entry,
                                     const Scenario& scenario);

// Whether what is chosen for a key can change the runs of the scheduler with that label.
[[nodiscard]] bool touches(std::string_view path, std::string_view label);

// The part of a cell's assignments that concerns a scheduler.
[[nodiscard]] Assignments choices_for(const Cell& cell, std::string_view label);

}  // namespace rhizome::scenarios
