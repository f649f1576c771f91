// What runs in virtual time take, estimated from a scenario and the profile of its workload before
// the first begins, so that nobody waits for hours to learn that it takes days. It is rough: signs
// of life and tasks are counted as in calm runs, and faults, loss and heavy load add to them.
//
// Estimated and measured (millions of events, and seconds of one processor of a busy machine of
// two; 240 peers, all times unsaid; the first 5,000 jobs of the NASA iPSC log of 1993, 92,186 tasks
// of 1,169 s in 24 days; and 5,021 jobs made by chance, 92,026 tasks of 1,592 s in 98 days):
//
//                     24 days                      98 days
//                     events        seconds        events        seconds
//   organic-grid      34 of  47     26 of  26      85 of 118     64 of  59
//   hybrid            34 of  39     23 of  17      85 of 153     58 of  64
//   air-traffic       34 of  27     64 of  39      85 of  80    170 of 154
//   sparrow           17 of  17     16 of  14      32 of  37     35 of  24
//     gradient        25 of  24     42 of  40      53 of  57    100 of  85
//     both            25 of  22     42 of  42      53 of  55    100 of  89
//     graph          9.1 of  16    5.8 of   7      12 of  23    7.2 of   7
#pragma once

#include <string>
#include <vector>

#include "agents/scheduler.hpp"
#include "core/peer/time.hpp"
#include "scenarios/format/scenario.hpp"

namespace rhizome::scenarios {

// An estimate is between a third of what a run takes and three times as much, mostly.
inline constexpr double roughness = 3;

struct Effort {
  std::string label;           // of the scheduler
  double events = 0;           // packets, timers and ends of work
  core::Duration processor{};  // time of one, of those that it was measured on
};

// One for each scheduler; none where time is real, which tells by itself what a run takes.
// `scenario` is complete.
[[nodiscard]] std::vector<Effort> efforts_of(const Scenario& scenario, const agents::World& world);

// "about 24 million events, 21 s, within a factor of 3".
[[nodiscard]] std::string text_of(const Effort& effort);

// A sentence for each that takes longer than `most`.
[[nodiscard]] std::vector<std::string> long_runs(const std::vector<Effort>& efforts,
                                                 core::Duration most);

}  // namespace rhizome::scenarios
