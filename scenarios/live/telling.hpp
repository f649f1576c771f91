// What monitors are told of a run by its identity, and of its end by its outcome: the same of one
// that goes on and of one that is seen again.
#pragma once

#include <cstdint>
#include <vector>

#include "core/engine/board.hpp"
#include "scenarios/live/messages.hpp"
#include "scenarios/outcome/outcome.hpp"

namespace rhizome::scenarios::live {

// All but what only its engine or its outcome knows. `number`: in its experiment, from 0.
[[nodiscard]] RunTitle title_of(const Identity& identity, std::uint32_t number);

// Those that share its peers, as of when somebody looked last; none where one does all of it.
[[nodiscard]] std::vector<ProcessSeen> processes_of(const core::Board& board);

// With the first of its violations, and the first line of each.
[[nodiscard]] RunEnd end_of(const Outcome& outcome, std::uint32_t number);

}  // namespace rhizome::scenarios::live
