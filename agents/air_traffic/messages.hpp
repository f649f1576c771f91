// What the queue, the leaders and the workers of Air Traffic Control say to each other.
#pragma once

#include <cstdint>
#include <vector>

#include "agents/task.hpp"
#include "core/peer/message.hpp"

namespace rhizome::agents::traffic {

using core::Cause;
using core::MessageClass;
using core::PeerId;

// A worker of a group and the tasks it takes at a time.
struct Member {
  PeerId id;
  std::uint32_t slots = 1;
};

// An idle leader to the queue: a job for a group of `size` slots. One ticket, one job.
struct Take {
  static constexpr core::MessageInfo info{"take", MessageClass::information, Cause::request};
  std::uint64_t ticket;
  std::uint32_t size;
};
// The queue to a leader: tasks `index` and on of the `total` of this ticket.
struct Portion {
  static constexpr core::MessageInfo info{"portion", MessageClass::job, Cause::work};
  std::uint64_t ticket;
  std::uint32_t index;
  std::uint32_t total;
  std::vector<Task> tasks;
  [[nodiscard]] std::size_t units() const { return tasks.size(); }
};
// A leader lacks these of a ticket's tasks.
struct Missing {
  static constexpr core::MessageInfo info{"missing", MessageClass::information, Cause::recovery};
  std::uint64_t ticket;
  std::vector<std::uint32_t> indexes;
};
// The queue to a leader that lacks tasks of a ticket: that job has gone to another.
struct Voided {
  static constexpr core::MessageInfo info{"voided", MessageClass::information, Cause::recovery};
  std::uint64_t ticket;
};
// A leader cannot run what it was given: its group has been lent to another.
struct Return {
  static constexpr core::MessageInfo info{"return", MessageClass::information, Cause::merge};
  std::uint64_t ticket;
};
struct Assign {
  static constexpr core::MessageInfo info{"assign", MessageClass::job, Cause::work};
  Task task;
};
// Worker to leader, and leader to queue.
struct Done {
  static constexpr core::MessageInfo info{"done", MessageClass::result, Cause::completion};
  TaskId task;
  PeerId executor;
};
// The queue lacks the results of these.
struct Recall {
  static constexpr core::MessageInfo info{"recall", MessageClass::information, Cause::recovery};
  std::vector<TaskId> tasks;
};
struct LeaderAlive {
  static constexpr core::MessageInfo info{"leader-alive", MessageClass::information,
                                          Cause::heartbeat};
  std::uint32_t size;
};
struct QueueAlive {
  static constexpr core::MessageInfo info{"queue-alive", MessageClass::information,
                                          Cause::heartbeat};
  PeerId standby;  // nobody when there is none
};
struct WorkerAlive {
  static constexpr core::MessageInfo info{"worker-alive", MessageClass::information,
                                          Cause::heartbeat};
  std::uint32_t slots;
  std::vector<TaskId> holding;
};
// A leader to its workers: all that one of them needs to succeed it.
struct Roster {
  static constexpr core::MessageInfo info{"roster", MessageClass::information, Cause::heartbeat};
  std::uint64_t epoch;
  std::vector<Member> members;
  std::vector<PeerId> edges;
};
// A peer without a group asks the queue for a leader, and then that leader for a place.
struct Join {
  static constexpr core::MessageInfo info{"join", MessageClass::information, Cause::join};
  std::uint32_t slots;
};
struct Refer {
  static constexpr core::MessageInfo info{"refer", MessageClass::information, Cause::join};
  PeerId leader;
};
// To a worker: another leader from now on.
struct Follow {
  static constexpr core::MessageInfo info{"follow", MessageClass::information, Cause::split};
  PeerId leader;
  std::uint64_t epoch;
};
// To a worker: lead these from now on.
struct Lead {
  static constexpr core::MessageInfo info{"lead", MessageClass::information, Cause::split};
  std::uint64_t epoch;
  std::vector<Member> members;
};
// A merge in two phases: the grant is a lease, which ends by itself without a commit.
struct MergeAsk {
  static constexpr core::MessageInfo info{"merge-ask", MessageClass::information, Cause::merge};
};
struct MergeGrant {
  static constexpr core::MessageInfo info{"merge-grant", MessageClass::information, Cause::merge};
  std::uint32_t slots;  // of the granting leader itself, a worker to be
  std::uint64_t epoch;
  std::vector<Member> members;
  std::vector<PeerId> edges;
};
struct MergeRefuse {
  static constexpr core::MessageInfo info{"merge-refuse", MessageClass::information, Cause::merge};
};
struct MergeCommit {
  static constexpr core::MessageInfo info{"merge-commit", MessageClass::information, Cause::merge};
  std::uint64_t epoch;  // of the joint group
};
// Leader to leader: we are neighbours; or we no longer are, but `instead` and you.
struct Linked {
  static constexpr core::MessageInfo info{"linked", MessageClass::information, Cause::maintenance};
};
struct Unlinked {
  static constexpr core::MessageInfo info{"unlinked", MessageClass::information,
                                          Cause::maintenance};
  PeerId instead;
};
// Leader to queue: a neighbour died, or there is none; the graph of leaders may have come apart.
struct Bereaved {
  static constexpr core::MessageInfo info{"bereaved", MessageClass::information, Cause::recovery};
};
// Queue to leader: a leader to be linked with.
struct Neighbour {
  static constexpr core::MessageInfo info{"neighbour", MessageClass::information, Cause::recovery};
  PeerId leader;
};
// Queue to standby: this task is done.
struct Mirror {
  static constexpr core::MessageInfo info{"mirror", MessageClass::information, Cause::maintenance};
  std::vector<TaskId> done;
};
// The standby is the queue from now on.
struct Reign {
  static constexpr core::MessageInfo info{"reign", MessageClass::information, Cause::election};
};
struct Terminate {
  static constexpr core::MessageInfo info{"terminate", MessageClass::information,
                                          Cause::termination};
};

}  // namespace rhizome::agents::traffic
