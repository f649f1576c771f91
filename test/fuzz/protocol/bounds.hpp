// Bounds of a fair run: the time until the last result, the time until a hopeless run is given up,
// and how often a task may be executed. Stated in full here; a run is reported when it takes more
// than three times its bound.
#pragma once

#include <cstddef>

#include "scenarios/experiment/conditions.hpp"
#include "scenarios/format/scenario.hpp"

namespace rhizome::fuzz {

struct Bounds {
  // Until the last result, in seconds: the last arrival or disturbance (a fault, the healing of a
  // cut), because nothing is promised before, and then all the work done again by the remaining
  // peers:
  //   deal       every peer is dealt its share of the tasks without regard for its speed or for
  //              what it has already, and the slowest has the worst draw: the mean number m of
  //              tasks for
  //              a slot, and 3·√(m·ln P) + 3 more, of the mean length, at its speed; the longest
  //              task comes on top; tasks that fit only some peers are dealt to those as well; a
  //              model is loaded before each task, where one must be
  //   travel     20 ways through the network for each task of a slot, and 20 more
  //   patience   twice the sum of the scheduler's durations (its time-outs), five times in a
  //              disturbed world, and where packets are lost 3·p / (1 - p) as much for each task of
  //              a slot; where overlays are only looked at, the period times all that is counted in
  //              periods, and more
  //   stays      of tasks that wander, twice the mean time of all stays of one
  //   chain      of tasks that need each other the longest chain, at the speed of the slowest, and
  //              twice that patience for each of them, and the time in which a plan is told to
  //              bring what the heaviest is given
  double makespan = 0;
  // If a peer dies that the scheduler cannot do without: until all peers have given up, with the
  // longest task and that patience after the last disturbance.
  double failure = 0;
  // Where nodes come and go by need, only the least number of nodes that are held is counted on,
  // with the fewest slots and the slowest speed.
  // Executions of one task: 1 in a calm world, where no peer fails and no packet is lost, doubled
  // or cut. Otherwise 3, and log2 of the makespan in mean tasks, because a task that seems lost may
  // be handed out again after a time that doubles; 2 more for each end of a life and each cut; 20·p
  // / (1 - p) more where packets are lost or arrive twice with probability p.
  [[nodiscard]] std::size_t executions(double makespan_found) const;
  double mean_task = 0;  // seconds
  std::size_t disturbances = 0;
  bool calm = false;
  // Packets: 300 for each task and peer, and 100 more of each peer for its shortest period;
  // beyond, they multiply.
  double packets_for_work = 0;
  double packets_a_second = 0;
  // A peer that the scheduler cannot do without dies in this world.
  bool hopeless = false;
  // Some task fits no peer that is there at the end.
  bool stranded = false;
  // Only those peers are there at the end, or for as long as the longest time of the scheduler,
  // after which it may give up.
  bool deserted = false;
  // A peer besides those lives from the start to the end, and can report what happened.
  bool witnessed = false;
};

[[nodiscard]] Bounds bounds_of(const scenarios::Scenario& scenario,
                               const scenarios::Surroundings& around);

}  // namespace rhizome::fuzz
