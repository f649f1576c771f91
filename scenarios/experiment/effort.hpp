// Estimates how long runs in virtual time take, from a scenario and the profile of its workload.
// The estimate is made before the first run begins, so that a user need not wait for hours to learn
// that it takes days. It is rough: heartbeats and tasks are counted as in calm runs; faults, loss
// and heavy load add to them. A dispatcher that compares servers asks them for each task, so its
// events grow with tasks times servers.
//
// Estimated and measured (millions of events, and seconds of one of two processors of a machine
// that other programs kept busy; 240 peers, default times; 5,000 jobs generated at random, 92,026
// tasks of 1,592 s in 98 days):
//
//                     events        seconds
//   organic-grid      87 of  98     64 of  64
//   hybrid            87 of  97     59 of  55
//   air-traffic       40 of  32     44 of  31
//   sparrow           19 of  22     18 of  19
//     gradient        27 of  29     45 of  52
//     both            27 of  29     45 of  53
#pragma once

#include <string>
#include <vector>

#include "agents/scheduler.hpp"
#include "core/peer/time.hpp"
#include "scenarios/format/scenario.hpp"

namespace rhizome::scenarios {

// Mostly an estimate is between a third and three times the measured time.
inline constexpr double roughness = 3;

struct Effort {
  std::string label;           // of the scheduler
  double events = 0;           // packets, timers and ends of work
  core::Duration processor{};  // time of one processor such as those of the measurement
};

// One for each scheduler. Empty for engines in real time, where the scenario itself tells how long
// a run takes. `scenario` is complete.
[[nodiscard]] std::vector<Effort> efforts_of(const Scenario& scenario, const agents::World& world);

// "about 24 million events, 21 s, within a factor of 3".
[[nodiscard]] std::string text_of(const Effort& effort);
// The same of the cells of a sweep: "about 1.2 million to 24 million events, 1.1 s to 21 s, ...".
[[nodiscard]] std::string text_of(const Effort& least, const Effort& most);

// A sentence for each scheduler whose run takes longer than `most`.
[[nodiscard]] std::vector<std::string> long_runs(const std::vector<Effort>& efforts,
                                                 core::Duration most);

}  // namespace rhizome::scenarios
