// All faults of a scenario, from all of its sources, as one schedule that is common to all of its
// schedulers.
#pragma once

#include <string>
#include <vector>

#include "agents/scheduler.hpp"
#include "core/engine/engine.hpp"
#include "scenarios/format/scenario.hpp"

namespace rhizome::scenarios {

struct FaultSchedule {
  std::vector<core::Fault> faults;   // by time
  std::vector<std::string> remarks;  // about peers that no scheduler promises to do without
};

// Chance derives from the seed of the world. Throws InputError for a file that cannot be used, and
// where everybody is spared.
[[nodiscard]] FaultSchedule make_faults(const Scenario& scenario, const agents::World& world);

}  // namespace rhizome::scenarios
