// All faults of a scenario, from all of its sources, as one schedule that is common to all of its
// schedulers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "agents/scheduler.hpp"
#include "core/engine/engine.hpp"
#include "scenarios/world/provision.hpp"
#include "scenarios/world/sections.hpp"

namespace rhizome::scenarios {

// The schedulers that may not survive the loss of a peer: how many, and which comes first. A world
// may have a million such peers.
struct Dependants {
  std::size_t first = 0;
  std::uint32_t count = 0;
  void add(std::size_t scheduler) {
    if (count++ == 0) first = scheduler;
  }
};

// Limits on faults, which are common to all schedulers of a scenario.
struct Mercy {
  std::vector<std::string> labels{};  // of all schedulers
  std::map<core::PeerId, Dependants> essential{};
  std::vector<std::string> deaf{};   // labels of those that hear no goodbyes
  std::vector<std::string> frail{};  // labels of those that survive no loss
  Duration limit{0};                 // of a run, for lifetimes without an end
  Duration crash_until{0};           // the latest crash by chance
  std::uint32_t machines = 1;        // each with a block of peers
  Staff staff{};                     // of a run whose peers come and go by need
};

struct FaultSchedule {
  std::vector<core::Fault> faults;   // by time
  std::vector<std::string> remarks;  // about peers that no scheduler promises to do without
};

// Random faults derive from the seed of the world. Throws InputError for a file that cannot be
// used, and if all peers are spared.
[[nodiscard]] FaultSchedule make_faults(const WorldSections& sections, const agents::World& world,
                                        const Mercy& mercy);

}  // namespace rhizome::scenarios
