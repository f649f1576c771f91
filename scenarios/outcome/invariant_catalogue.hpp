// The catalogue of the invariants that every run must keep. `rhizome list invariants` prints it.
#pragma once

#include <string_view>

namespace rhizome::agents {
struct Scheduler;
}

namespace rhizome::scenarios {

// The schedulers that an invariant concerns.
namespace concerns {
[[nodiscard]] bool promise_a_time(const agents::Scheduler& scheduler);
[[nodiscard]] bool promise_hops(const agents::Scheduler& scheduler);
[[nodiscard]] bool serve(const agents::Scheduler& scheduler);
[[nodiscard]] bool have_heads(const agents::Scheduler& scheduler);
[[nodiscard]] bool have_trees(const agents::Scheduler& scheduler);
[[nodiscard]] bool have_groups(const agents::Scheduler& scheduler);
[[nodiscard]] bool connect_leaders(const agents::Scheduler& scheduler);
[[nodiscard]] bool check_views(const agents::Scheduler& scheduler);
[[nodiscard]] bool find_tasks(const agents::Scheduler& scheduler);
}  // namespace concerns

struct Invariant {
  std::string_view name;
  std::string_view promise;  // the rule, and the runs for which it is not judged
  bool (*concerns)(const agents::Scheduler&) = nullptr;  // null: all schedulers
};

// The last eight, of tasks that locators find, follow Peterson, dissertation, section 7, and ours.
inline constexpr Invariant invariants[] = {
    {"conservation",
     "over all peers, packets sent and duplicated are those received, dropped and in flight; each "
     "process received as many packets from another as that one sent to it"},
    {"addresses-resolve", "no message is sent to a peer that does not exist"},
    {"messages-are-believed", "no peer refuses a message of another as malformed or implausible"},
    {"results-correct",
     "the results that tasks really compute are right; not judged where work is emulated"},
    {"tasks-are-submitted", "a task that began, ran or completed was submitted before"},
    {"tasks-are-executed",
     "a task that completed was executed before, whatever was lost or crashed; where processes "
     "have "
     "clocks of their own, before the end; not judged of operations of clients that had "
     "no answer"},
    {"run-failed",
     "no peer gives up the run with tasks undone; reported in the place of those tasks"},
    {"no-task-lost",
     "every task of the workload completes; tasks of a run whose time ran out are undone, not "
     "lost"},
    {"completes-once",
     "no task completes twice at its source; unless a fault excuses it, or threads so late that "
     "the run is invalid, or packets that waited too long before lines, no task is delivered more "
     "often than it was handed out, and none more than once unless the scheduler is at-least-once"},
    {"once-without-fault",
     "every task begins and is executed once; judged where no packet was lost or duplicated, no "
     "peer crashed, left or restarted, no cut was planned and no thread was late"},
    {"precedence",
     "no task begins before each task that it needs, or that added it, has been executed once; not "
     "judged where processes have clocks of their own"},
    {"over-lower-bound",
     "the makespan is not below the metric lower_bound; judged where work is emulated"},
    {"in-time",
     "in virtual time and without a fault, the last result is not later than the scheduler "
     "promises",
     concerns::promise_a_time},
    {"hops",
     "without a fault, and unless packets waited too long before lines, portions are sent at most "
     "as often as the scheduler promises, times the number of tasks",
     concerns::promise_hops},
    {"service-conserved",
     "in each busy period, a server of one processor gives as much service as its ended tasks "
     "took, plus the service of tasks that it gave up",
     concerns::serve},
    {"one-head", "an epoch of a central scheduler has one head, and later heads have higher epochs",
     concerns::have_heads},
    {"comes-to-rest",
     "no timer is armed and no work is running after the end; not judged where the time ran out"},
    {"all-finish",
     "every living peer says that it has finished; not judged where the time ran out"},
    {"tree",
     "one root, no cycle, and all parents are in the tree; judged while the tree stood still for "
     "longer than a repair may take, and not where threads were too late",
     concerns::have_trees},
    {"groups", "every worker follows a peer that leads; judged as tree is", concerns::have_groups},
    {"leaders", "leaders are connected to each other; judged as tree is",
     concerns::connect_leaders},
    {"views-hold", "no check of a view of the overlay finds it wrong", concerns::check_views},
    {"outputs",
     "the output of a task is right, and is at its client before the task counts as done; judged "
     "where tasks leave files"},
    {"one-copy",
     "in each of its epochs a task is at one peer, to which it moved from its peer of the epoch "
     "before; not judged where a peer restarted",
     concerns::find_tasks},
    {"chains-lead",
     "from the address to which a datum is sent first, forwarders of rising versions lead to its "
     "task; judged where no peer died",
     concerns::find_tasks},
    {"data-once",
     "a task is given each datum once, unless a peer restarted, and does not begin before it has "
     "all data",
     concerns::find_tasks},
    {"addresses-true",
     "no recorded address is of a future epoch; an address is replaced only by a newer one, or by "
     "that of an older copy where all peers were asked; judged where no peer died",
     concerns::find_tasks},
    {"one-forwarder",
     "no peer that did not die has a task and a forwarder to it, or two forwarders to one task",
     concerns::find_tasks},
    {"few-forwarders",
     "a task has fewer forwarders than peers where it has been; judged where no peer died",
     concerns::find_tasks},
    {"removal-in-time",
     "no forwarder is removed while it is on the path of a giver that the latest copy of its task "
     "needs, unless a copy has begun; judged where no peer died",
     concerns::find_tasks},
    {"nothing-waits",
     "at the end no forwarder that was to be removed is left, no task is moving, and no search "
     "waits for a task; judged where no peer died",
     concerns::find_tasks},
};

}  // namespace rhizome::scenarios
