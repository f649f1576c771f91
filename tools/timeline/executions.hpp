// The executions of a run, taken from its facts: which peer ran which task when. Each execution is
// on a lane of its peer, and no two executions on one lane overlap.
#pragma once

#include <cstdint>
#include <vector>

#include "scenarios/outcome/outcome.hpp"
#include "tools/names.hpp"

namespace rhizome::tools {

struct Execution {
  core::PeerId peer;
  std::uint32_t lane = 0;  // from 0; one for each simultaneous execution
  agents::TaskId task;
  Time from{};
  Time until{};
  bool ended = true;  // false: cut off by a crash or by the end of the run
};

// Ordered by peer, then by start.
[[nodiscard]] std::vector<Execution> executions_of(const Outcome& outcome);

}  // namespace rhizome::tools
