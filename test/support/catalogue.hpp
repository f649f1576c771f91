// The schedulers that a scenario may name and say no more of.
#pragma once

#include <vector>

#include "agents/scheduler.hpp"
#include "agents/schedulers.hpp"

namespace rhizome::test {

// All schedulers but `program`, which needs a command.
inline std::vector<const agents::Scheduler*> ready_schedulers() {
  std::vector<const agents::Scheduler*> ready;
  for (const agents::Scheduler& scheduler : agents::catalogue())
    if (scheduler.name != agents::program_name) ready.push_back(&scheduler);
  return ready;
}

}  // namespace rhizome::test
