// The invariants that every run must keep, checked on its outcome.
#pragma once

#include <vector>

#include "scenarios/outcome/outcome.hpp"

namespace rhizome::scenarios {

// Each broken invariant with the peer, the time and the facts that led to it:
//   conservation       sent + duplicated = received + dropped + in flight, over all peers; and each
//                      process received as many packets from another as that one sent to it
//   addresses-resolve  no message was sent to a peer that does not exist
//   results-correct    the results that tasks really computed are right; not judged where work is
//                      emulated
//   run-failed         no peer gave up the run with tasks undone; reported instead of those tasks
//   no-task-lost       every task of the workload completed; tasks of a run whose time ran out are
//                      undone, not lost
//   completes-once     no task completed twice at its source. Unless a fault excuses it, or threads
//                      so late that the run is invalid, no task was delivered more often than it
//                      was handed out, and none more than once unless the scheduler is
//                      at-least-once
//   once-without-fault every task was begun and executed once; judged where no packet was lost or
//                      duplicated, no peer crashed, left or restarted, no cut was planned and no
//                      thread was late
//   precedence         no task began before each task that it needs, or that added it, had been
//                      executed once; not judged where processes have clocks of their own
//   over-lower-bound   the makespan is not below the metric of that name, where work is emulated
//   in-time            in virtual time and without a fault, the last result is not later than the
//                      scheduler promises (scenarios/experiment/in_time.hpp)
//   hops               without a fault, portions were sent at most most_hops times the number of
//                      tasks
//   service-conserved  in each busy period, a server of one processor gave as much service as its
//                      ended tasks took, plus the service of tasks that it gave up
//   one-head           an epoch of a central scheduler has one head, and later heads have higher
//                      epochs
//   comes-to-rest      no timer is armed and no work is running after the end
//   all-finish         every living peer said that it had finished; neither this nor comes-to-rest
//                      is judged where the time ran out
//   tree               one root, no cycle, and all parents are in the tree
//   groups             every worker follows a peer that leads
//   leaders            leaders are connected to each other
//   views-hold         no check of a view found it wrong
//   outputs            the output of a task is right, and is at its client before the task counts
//                      as done
// and of tasks that locators find (Peterson, dissertation, section 7, and ours):
//   one-copy           in each of its epochs a task is at one peer, to which it moved from its peer
//                      of the epoch before
//   chains-lead        from the address to which a datum is sent first, forwarders of rising
//                      versions lead to its task
//   data-once          a task is given each datum once, and does not begin before it has all data
//   addresses-true     no recorded address is of a future epoch; an address is replaced only by a
//                      newer one, or by that of an older copy where all peers were asked
//   one-forwarder      no peer has a task and a forwarder to it, or two forwarders to one task
//   few-forwarders     a task has fewer forwarders than peers where it has been
//   removal-in-time    no forwarder is removed while it is on the path of a giver that the latest
//                      copy of its task needs, unless a copy has begun
//   nothing-waits      at the end no forwarder that was to be removed is left, no task is moving,
//                      and no search waits for a task
// Of the invariants of locators, all but one-copy and data-once are judged only where no peer died,
// because tasks and forwarders are lost with it; one-forwarder also at peers that did not die.
// one-copy, and that no datum is given twice, are judged only where no peer restarted, because a
// restarted peer may repeat a move. tree, groups and leaders are judged only where facts tell of
// them, and only while the structure stood still for longer than the scheduler's patience; `judged`
// says how much time that was. Where threads were so late that the run is invalid, these three are
// not judged, nor is comes-to-rest of a run that reached its limit. Where packets waited before
// lines for longer than the scheduler waits before it takes a peer for dead, neither hops is judged
// nor how often a task was delivered. At most ten violations of each invariant are kept: the first
// ones tell what went wrong. An interrupted run is judged by the first three invariants alone.
struct Examination {
  std::vector<Violation> violations;
  std::vector<Judged> judged;
};
[[nodiscard]] Examination examine(const Outcome& outcome);

}  // namespace rhizome::scenarios
