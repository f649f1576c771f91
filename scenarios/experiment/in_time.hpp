// The time by which a scheduler promises the last result of a run in virtual time without faults.
// No other invariant detects a scheduler that is too slow. The promise is
//   times * (greedy + lines) + slowest + turns * periods
//   times    the factor in the scheduler's entry in the catalogue, which gives the reason
//   greedy   the end of a greedy schedule (agents/bounds/greedy.hpp) of the same work on the same
//            peers; peers that share processors count as fast as when all of their group are at
//            work. A task takes its slots for its service time; for four ways through the network,
//            because a peer may have to ask for it, learn of it, receive it and report it before it
//            gets the next one; for its bytes on the slowest lines; and for the waiting that the
//            options add
//   lines    the same bytes of all tasks, one after another, because all of them may pass the line
//            of the source; and where handling a message costs time, the handling of 20 messages
//            for each task
//   slowest  the longest indivisible work at the slowest peer: the longest task, or the longest
//            chain of tasks that need each other. Any greedy schedule ends within the time in which
//            all peers together do all work, plus this time. `greedy` is only one such schedule,
//            and may be a small part of the worst where a peer is many times slower than others
//   turns    one, and one more for each task of the longest chain of tasks that need each other
//   periods  all times of the scheduler, and, where there are files, the first timeout of a file
//            request; all of them twice, because what happens in a period may begin just after it
//            would have helped; and 20 ways, for overlays and trees to form. In runs of few tasks
//            the promise consists mostly of this term
#pragma once

#include "scenarios/experiment/conditions.hpp"
#include "scenarios/format/scenario.hpp"

namespace rhizome::scenarios {

// Time since the start of the run. 0 where there is no promise: the scheduler gives none, the run
// is on threads, which may be late, jobs come while the run goes on or are left open, or the
// scenario plans a fault or a loss.
[[nodiscard]] Duration promised_end(const Scenario& scenario, const Surroundings& around,
                                    const SchedulerChoice& choice);

}  // namespace rhizome::scenarios
