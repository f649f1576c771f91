// Makes the world that all schedulers share, from the sections of a scenario and a seed. Everything
// random derives from (seed, purpose), so two schedulers of one experiment see the same graph,
// speeds, jobs and faults.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "agents/scheduler.hpp"
#include "core/engine/engine.hpp"
#include "scenarios/world/faults/schedule.hpp"
#include "scenarios/world/sections.hpp"

namespace rhizome::scenarios {

// A world, the network around it, and what the readers of its files had to remark.
struct Surroundings {
  agents::World world;
  agents::OpenArrivals survey;  // the jobs of the world, without names of files: these take long
  core::LinkChain links;
  std::vector<core::AccessRates> access;     // by peer; empty: bandwidth is unlimited
  std::vector<core::ProcessorGroup> groups;  // of peers that share processors
  std::vector<core::Fault> faults;
  std::optional<agents::provision::NodePlan> provision;  // of a run with nodes by need
  bool goes_on = false;  // an open run: more jobs would have come later
  std::vector<std::string> remarks;
};

// Asks `mercy` once for the world that it has made so far, all but its faults. A run that is open
// for some time has the jobs that arrive until then. Throws InputError for files that cannot be
// used.
[[nodiscard]] Surroundings make_surroundings(
    const WorldSections& sections, std::uint64_t seed,
    const std::function<Mercy(const agents::World&)>& mercy, core::Duration open_for = {});

}  // namespace rhizome::scenarios
