// Makes a monitor's description of a run from its identity, and of its end from its outcome. It is
// the same for a live run and for a recorded one.
#pragma once

#include <cstdint>
#include <vector>

#include "core/engine/board.hpp"
#include "scenarios/live/messages.hpp"
#include "scenarios/outcome/outcome.hpp"

namespace rhizome::scenarios::live {

// The title, without values that only the engine or the outcome has. `number`: of the run in its
// experiment, from 0.
[[nodiscard]] RunTitle title_of(const Identity& identity, std::uint32_t number);

// The processes that share the peers of the run, as of the last look; none where one process has
// all peers.
[[nodiscard]] std::vector<ProcessSeen> processes_of(const core::Board& board);

// The end of a run, with the first violations and the first line of each.
[[nodiscard]] RunEnd end_of(const Outcome& outcome, std::uint32_t number);

}  // namespace rhizome::scenarios::live
