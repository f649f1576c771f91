// Who ran what when, out of the facts of a run: each execution on a lane of its peer, so that no
// two on one lane overlap.
#pragma once

#include <cstdint>
#include <vector>

#include "scenarios/outcome/outcome.hpp"
#include "tools/names.hpp"

namespace rhizome::tools {

struct Execution {
  core::PeerId peer;
  std::uint32_t lane = 0;  // from 0; as many as the peer ran at once
  agents::TaskId task;
  Time from{};
  Time until{};
  bool ended = true;  // false: cut off by a crash or by the end of the run
};

// By peer, then by beginning.
[[nodiscard]] std::vector<Execution> executions_of(const Outcome& outcome);

}  // namespace rhizome::tools
