// The least memory of a run, estimated from its scenario before anything of it is built, so that a
// run that cannot fit is refused with its reason, and is not given up hours later when memory is
// out. It leaves out parts that only the run tells: waiting messages, and facts of peers besides
// their tasks.
//
// Estimated and measured (the most that was resident, MiB; 2 cores, jemalloc, nothing stored; in
// virtual time but for the last two):
//
//   round-robin, 100 peers, one task                        14 of  21   0.68
//   round-robin, 100,000 peers                             260 of 308   0.84
//   Organic Grid, 20,000 peers                             111 of 150   0.74
//   Sparrow, 4,000 peers                                    33 of  50   0.67
//   overlays alone, 20,000 peers, five cycles               92 of 120   0.77
//   the same, 2,000 peers for half an hour                 213 of 213   1.00
//   round-robin, 200,000 tasks in jobs of 10               105 of 128   0.82
//   the same in jobs of 1                                  148 of 210   0.70
//   the same in jobs of 10 by Sparrow                      105 of 182   0.58
//   round-robin, four of those runs, two at once           196 of 266   0.74
//   4,000 peers of degree 2,000, which is 4,000,000 links  123 of 196   0.63
//   the main comparison, 100 peer threads                   40 of  56   0.71
//   round-robin, 8,000 peer threads                        768 of 1032  0.74
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "agents/arrivals.hpp"
#include "core/engine/limits.hpp"
#include "scenarios/format/scenario.hpp"

namespace rhizome::scenarios {

// One part of the memory.
struct MemoryPart {
  std::string what;    // "1,600,000 tasks"
  std::string remedy;  // "fewer tasks"
  double bytes = 0;
};

struct MemoryNeed {
  std::vector<MemoryPart> parts;

  [[nodiscard]] double bytes() const;
  [[nodiscard]] const MemoryPart& largest() const;
};

struct WorkCounts {
  double jobs = 0;
  double tasks = 0;
  double seconds = 0;  // least duration of a run
};

// The numbers of tasks and jobs from the scenario: none if only reading a trace tells them. Here
// and below, arrivals after the time limit, or after the time for which a run is open, are left
// out.
[[nodiscard]] WorkCounts foreseen_work(const Scenario& scenario);

[[nodiscard]] WorkCounts work_in(const Scenario& scenario, const agents::Profile& profile);

// The most that a run of any of its schedulers takes at least.
[[nodiscard]] MemoryNeed memory_of_run(const Scenario& scenario, const WorkCounts& work);

// Throws core::LimitExceeded, with the figures and the remedy, where there is less.
void check_memory(const Scenario& scenario, const WorkCounts& work, const core::MemoryRoom& room);

// How many runs of so many bytes at least fit at once, if each takes no more than twice as much;
// between 1 and `wished`.
[[nodiscard]] unsigned runs_at_once(double bytes, unsigned wished, const core::MemoryRoom& room);

// "1.4 GiB".
[[nodiscard]] std::string memory_text(double bytes);

}  // namespace rhizome::scenarios
