// Makes the plan that the peers of a run share from the provisioning options of a scenario.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "agents/provision/plan.hpp"
#include "agents/scheduler.hpp"
#include "scenarios/world/sections.hpp"

namespace rhizome::scenarios {

// The constraints of all schedulers of a scenario on provisioning, which is the same for all of
// them.
struct Staff {
  std::set<core::PeerId> stay;     // peers that at least one scheduler cannot drain
  std::vector<std::string> bound;  // schedulers that cannot drain any peer
};

// Throws InputError where the numbers of nodes contradict each other, and for a file of other
// users' jobs that cannot be used. `remarks` gets sentences about jobs left out of that file.
[[nodiscard]] agents::provision::NodePlan make_plan(const WorldSections& sections,
                                                    const agents::World& world, const Staff& staff,
                                                    std::vector<std::string>& remarks);

// Nodes that are not held at the start.
[[nodiscard]] std::set<core::PeerId> absent_at_start(const agents::provision::NodePlan& plan);

}  // namespace rhizome::scenarios
