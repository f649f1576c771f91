// From a scenario and a seed to what all its schedulers share. Everything random derives from
// (seed, purpose), so two schedulers of one experiment see the same graph, speeds, jobs and faults.
#pragma once

#include <string>
#include <vector>

#include "agents/scheduler.hpp"
#include "core/engine/engine.hpp"
#include "scenarios/format/scenario.hpp"

namespace rhizome::scenarios {

// The seed of one repetition, the same for all schedulers.
[[nodiscard]] std::uint64_t repetition_seed(const Scenario& scenario, std::uint32_t repetition);

// A world, the network around it, and what the readers of its files had to remark.
struct Surroundings {
  agents::World world;
  core::LinkChain links;
  std::vector<core::AccessRates> access;  // by peer; empty: no bandwidth limits anybody
  std::vector<core::Fault> faults;
  std::vector<std::string> remarks;
};

// Throws InputError for files that cannot be used and for options that a scheduler refuses.
[[nodiscard]] Surroundings make_surroundings(const Scenario& scenario, std::uint64_t seed);

}  // namespace rhizome::scenarios
