// The invariants that every run must keep, checked on its outcome.
#pragma once

#include <vector>

#include "scenarios/outcome/outcome.hpp"

namespace rhizome::scenarios {

// Each broken invariant with the peer, the time and the facts that led there:
//   conservation       sent + duplicated = received + dropped + in flight, over all peers; and what
//                      a process sent to another is what that received
//   addresses-resolve  nothing was sent to a peer that does not exist
//   results-correct    what tasks really computed is what it must be; nothing to judge where work
//                      is emulated
//   run-failed         nobody gave up the run with tasks undone; told instead of those tasks
//   no-task-lost       every task of the workload completed; those of a run whose time ran out are
//                      undone, not lost
//   completes-once     no task completed twice at its source; where no fault excuses it, nor
//                      threads so late that the run is invalid, none was delivered more often than
//                      it was handed out, and none at all more than once unless the scheduler says
//                      at-least-once
//   once-without-fault where no packet was lost or doubled, nobody died, left or began anew, no cut
//                      was planned and no thread was late, every task was begun and executed once
//   precedence         no task began before each that it needs, or that added it, had been executed
//                      once; nothing to judge where processes have clocks of their own
//   over-lower-bound   the makespan is not below the metric of that name, where work is emulated
//   in-time            in virtual time and without a fault, the last result is not later than the
//                      scheduler promises (scenarios/experiment/in_time.hpp)
//   hops               without a fault portions travelled most_hops for each task, or less
//   service-conserved  a server of one processor gave in each busy period as much service as the
//                      tasks took that ended, and those it gave up had had
//   one-head           an epoch of a central scheduler has one head, and later heads higher epochs
//   comes-to-rest      nothing is armed or running after the end
//   all-finish         every living peer said that it had finished; neither is judged where the
//                      time ran out
//   tree               one root, no cycle, parents that are in the tree
//   groups             every worker follows somebody who leads
//   leaders            connected to each other
//   views-hold         nobody found a view wrong of those that are checked
//   outputs            what a task leaves is right, and at its client before it counts as done
// and of tasks that locators find (Peterson, dissertation, section 7, and ours):
//   one-copy           a task is in each of its epochs at one peer, to which it moved from where it
//                      was in the one before
//   chains-lead        by the address to which a datum goes first, forwarders of rising versions
//                      lead to its task
//   data-once          a task is given each datum once, and does not begin before it has all
//   addresses-true     no recorded address is of an epoch to come, and each gives way to newer ones
//                      alone, or to that of an older copy where everybody was asked
//   one-forwarder      no peer has a task and a forwarder to it, or two forwarders
//   few-forwarders     a task has fewer forwarders than peers where it has been
//   removal-in-time    no forwarder goes that is still on the way of somebody whom the latest copy
//                      of its task needs, before one of its copies has begun
//   nothing-waits      at the end no forwarder is left that was to go, no task is under way, and
//                      nothing waits for one
// Of these, all but the first and the third only where no peer died, by which others were lost; the
// fifth at those that did not; and that there is one copy, and that nothing is given twice, only
// where no peer began anew, which may take a move once more that it had taken. Trees, groups and
// leaders only where facts tell of them, and wherever these stood still for longer than the
// scheduler's patience; `judged` says how much that was. Where threads were so late that the run is
// invalid, none of these, nor that all come to rest before the limit. Where packets waited before
// lines for longer than the scheduler does before it takes somebody for dead, neither hops nor how
// often something was delivered. At most ten of each: the first ones tell
// what went wrong. A run that was interrupted is judged by the first three alone.
struct Examination {
  std::vector<Violation> violations;
  std::vector<Judged> judged;
};
[[nodiscard]] Examination examine(const Outcome& outcome);

}  // namespace rhizome::scenarios
