// HEFT, a bound with all knowledge for tasks that need each other: the task with the longest path
// to the end of the graph goes first, and each task goes to the peer where it ends first, between
// other tasks where it fits (Topcuoglu, Hariri and Wu, IEEE TPDS 13(3), 2002). No peer sends a
// message, and a task's output is at the tasks that need it at once, unless an option says
// otherwise.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "agents/bounds/plan.hpp"
#include "agents/resources.hpp"
#include "agents/scheduler.hpp"
#include "core/peer/time.hpp"

namespace rhizome::agents::bounds {

// When a peer has room: a task may be booked between tasks that were booked before.
class Calendar {
 public:
  explicit Calendar(const Capacity& capacity) : capacity_(capacity) {}

  // How long the peer works on the task.
  [[nodiscard]] core::Duration service(const Task& task) const;
  // The earliest time from `ready` on at which the peer has room for the task until its end;
  // nothing when it never fits.
  [[nodiscard]] std::optional<core::Time> earliest(const Task& task, core::Time ready) const;
  // Returns when the task will end.
  core::Time book(const Task& task, core::Time start);
  // The caller will ask for no time before `time`.
  void forget_before(core::Time time);

 private:
  using Usage = std::map<core::Time, Resources>;

  // Begins a segment at that time, if none begins there.
  Usage::iterator split(core::Time at);

  Capacity capacity_;
  // The resources in use from that time on, until the next entry.
  Usage used_{{core::Time::min(), Resources{.cpus = 0}}};
};

struct HeftOptions {
  core::Duration latency{0};
  double bandwidth = 0;  // bytes a second; 0: without end
};

// The time that the heaviest task takes to receive all data of its predecessors, by the options.
[[nodiscard]] core::Duration longest_transfer(const HeftOptions& options, const World& world);

// Jobs in the order of their arrival, each around those before it. Every task fits some peer.
// Incomplete once `stopped` says so.
[[nodiscard]] PlacementPlan heft_plan(const World& world, const HeftOptions& options,
                                      const std::function<bool()>& stopped);

// The upward rank of each portion (section 4 of the paper): the longest path from its start to the
// end of the graph in seconds. A task counts with its mean time over all peers, and an edge with
// the transfer time between two of them.
[[nodiscard]] std::vector<double> upward_ranks(const Job& job, const World& world,
                                               const HeftOptions& options);

}  // namespace rhizome::agents::bounds
