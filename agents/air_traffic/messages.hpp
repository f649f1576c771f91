// What the queue, the leaders and the workers of Air Traffic Control say to each other.
#pragma once

#include <cstdint>
#include <vector>

#include "agents/division.hpp"
#include "agents/facts.hpp"
#include "agents/task.hpp"
#include "core/peer/env.hpp"
#include "core/peer/message.hpp"
#include "core/peer/time.hpp"

namespace rhizome::agents::traffic {

// A worker of a group and the tasks it takes at a time.
struct Member {
  PeerId id;
  std::uint32_t slots = 1;
  friend bool operator==(const Member&, const Member&) = default;
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
// The queue to a leader that asks again with a ticket: it was given a job of so many tasks. If none
// has come by now, they were lost.
struct Given {
  static constexpr core::MessageInfo info{"given", MessageClass::information, Cause::recovery};
  std::uint64_t ticket;
  std::uint32_t total;
};
// The queue to a leader that lacks tasks of a ticket: that job has gone to another, or is done.
struct Voided {
  static constexpr core::MessageInfo info{"voided", MessageClass::information, Cause::recovery};
  std::uint64_t ticket;
};
// A leader about to lend its group no longer wants a job; and the queue's consent, without which
// one may be on its way.
struct Withdraw {
  static constexpr core::MessageInfo info{"withdraw", MessageClass::information, Cause::merge};
  std::uint64_t ticket;
};
struct Withdrawn {
  static constexpr core::MessageInfo info{"withdrawn", MessageClass::information, Cause::merge};
  std::uint64_t ticket;
};
// A leader that was given this job does not have it, or no longer leads.
struct Return {
  static constexpr core::MessageInfo info{"return", MessageClass::information, Cause::recovery};
  std::uint64_t ticket;
};
// Leader to worker.
struct Assign {
  static constexpr core::MessageInfo info{"assign", MessageClass::job, Cause::work};
  std::vector<Task> tasks;
  [[nodiscard]] std::size_t units() const { return tasks.size(); }
};
struct Result {
  Product task;
  PeerId executor;
};
// Worker to leader, and leader to queue.
struct Done {
  static constexpr core::MessageInfo info{"done", MessageClass::result, Cause::completion};
  std::vector<Result> results;
  [[nodiscard]] std::size_t units() const { return results.size(); }
};
// The queue lacks the results of these tasks of a ticket.
struct Recall {
  static constexpr core::MessageInfo info{"recall", MessageClass::information, Cause::recovery};
  std::uint64_t ticket;
  std::vector<TaskId> tasks;
};
struct LeaderAlive {
  static constexpr core::MessageInfo info{"leader-alive", MessageClass::information,
                                          Cause::heartbeat};
  std::uint32_t size;
};
// To leaders; to all peers once none has been heard for long.
struct QueueAlive {
  static constexpr core::MessageInfo info{"queue-alive", MessageClass::information,
                                          Cause::heartbeat};
};
struct WorkerAlive {
  static constexpr core::MessageInfo info{"worker-alive", MessageClass::information,
                                          Cause::heartbeat};
  std::uint32_t slots;
  std::uint64_t epoch;
  std::vector<TaskId> holding;
};
// A leader to its workers: all that one of them needs to succeed it, and how long the queue has
// been silent.
struct Roster {
  static constexpr core::MessageInfo info{"roster", MessageClass::information, Cause::heartbeat};
  std::uint64_t epoch;
  std::vector<Member> members;
  std::vector<PeerId> edges;
  core::Duration silence;
};
// Likewise from a leader without changes: the last roster holds. In a group at rest, the next sign
// of life may take long.
struct Steady {
  static constexpr core::MessageInfo info{"steady", MessageClass::information, Cause::heartbeat};
  std::uint64_t epoch;
  core::Duration silence;
  bool rest;
};
// A peer without a group asks the queue for a leader, and follows the leader that the queue names.
struct Join {
  static constexpr core::MessageInfo info{"join", MessageClass::information, Cause::join};
  std::uint32_t slots;
};
struct Refer {
  static constexpr core::MessageInfo info{"refer", MessageClass::information, Cause::join};
  PeerId leader;
};
// To a worker: another leader from now on. An epoch is a logical clock: a leader that moves a
// worker uses an epoch higher than the worker's, so that of two orders the later one holds in
// whatever order they arrive.
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
// Leader to leader. Linked: the sender is a neighbour of the receiver. Unlinked: it no longer is.
// `instead` becomes the receiver's neighbour; if `instead` is the receiver, it takes over all
// neighbours of the sender; with core::no_peer there is no replacement.
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
// To all peers: the queue has been silent for too long. Is it dead?
struct Doubt {
  static constexpr core::MessageInfo info{"doubt", MessageClass::information, Cause::recovery};
};
// The queue has ended the run; or, if `failed`, a peer has given the queue up, which counts only
// for peers that doubt the queue as well.
struct Terminate {
  static constexpr core::MessageInfo info{"terminate", MessageClass::information,
                                          Cause::termination};
  bool failed;
};
using Messages =
    core::OneOf<Take, Portion, Missing, Voided, Withdraw, Withdrawn, Return, Assign, Done, Recall,
                LeaderAlive, QueueAlive, WorkerAlive, Roster, Join, Refer, Follow, Lead, MergeAsk,
                MergeGrant, MergeRefuse, MergeCommit, Linked, Unlinked, Bereaved, Neighbour, Doubt,
                Terminate, Steady, Given>;

struct TickDue {};
// A neighbour has not answered the wish to merge.
struct MergeDue {
  PeerId asked;
  std::uint64_t ticket;
};
using Timers = core::OneOf<TickDue, MergeDue, DivideDue>;

using Facts = core::OneOf<TaskStarted, TaskExecuted, TaskComputed, TaskReissued, TaskHanded,
                          GroupChanged, LeadersLinked, RunFailed, ServiceLost>;

using Env = core::Env<Messages, Timers, Facts>;

}  // namespace rhizome::agents::traffic
