// By when a scheduler promises the last result of a run in virtual time in which nothing goes
// wrong: slow is a fault that no other invariant sees. The promise is
//   times * (greedy + lines) + slowest + turns * periods
//   times    of the scheduler's entry in the catalogue, with the reason
//   greedy   the end of a greedy schedule (agents/bounds/greedy.hpp) of the same work on the same
//            peers; those that share processors are as fast as with all of their group at work. A
//            task takes its slots for its service time, and beside for four ways through the
//            network, because it may be asked for, told of, sent and reported before its peer has
//            the next; for its bytes on the slowest lines; and for what the options make each wait
//   lines    the same bytes of all tasks, one after another, because all may pass the line of the
//            source; and where handling costs something, the handling of 20 messages for each
//   slowest  what cannot be divided at the slowest peer: the longest task, or the longest chain of
//            tasks that need each other. Any greedy schedule ends before all peers together have
//            done all work, and one of them this. `greedy` is one of them only, and may be a small
//            part of the worst where a peer is many times slower than others
//   turns    one, and one more for each task of the longest chain of tasks that need each other
//   periods  all times of the scheduler, and the first patience of who asks for files where there
//            are any, twice, because what happens in a period may begin just after it would have
//            helped; and 20 ways, for overlays and trees to form. Runs of few tasks consist of it
#pragma once

#include "scenarios/experiment/conditions.hpp"
#include "scenarios/format/scenario.hpp"

namespace rhizome::scenarios {

// Since the start of the run. 0 where there is no promise: the scheduler gives none, threads may be
// late, jobs come while the run goes on or are left open, and where a fault or a loss is planned.
[[nodiscard]] Duration promised_end(const Scenario& scenario, const Surroundings& around,
                                    const SchedulerChoice& choice);

}  // namespace rhizome::scenarios
