// What the peers of an Organic Grid say to each other. Every message names the root of the tree
// that it is about, since a peer may belong to several.
#pragma once

#include <cstdint>
#include <vector>

#include "agents/task.hpp"
#include "core/peer/message.hpp"

namespace rhizome::agents::grid {

using core::Cause;
using core::MessageClass;
using core::PeerId;

// A finished task, who executed it, and that peer's how-manieth execution it was: the root counts
// each execution's result once, whatever way it comes.
struct Result {
  TaskId task;
  PeerId executor;
  std::uint64_t execution;
  friend bool operator==(const Result&, const Result&) = default;
};

// An idle peer to its neighbours: has anybody work? Not of the trees it serves already.
struct Ask {
  static constexpr core::MessageInfo info{"ask", MessageClass::information, Cause::request};
  std::vector<PeerId> serving;
};
// An agent with uncomputed tasks clones itself to whoever asked, a potential child from then on.
struct Clone {
  static constexpr core::MessageInfo info{"clone", MessageClass::information, Cause::join};
  PeerId root;
  std::vector<PeerId> ancestors;  // of the new child: its parent first, the root last
};
// To the parent: tasks asked for since this child came, all told. A total may be repeated or lost
// without harm, and no deficit is counted twice.
struct Demand {
  static constexpr core::MessageInfo info{"demand", MessageClass::information, Cause::request};
  PeerId root;
  std::uint32_t epoch;
  std::uint64_t demanded;
};
struct Supply {
  static constexpr core::MessageInfo info{"supply", MessageClass::job, Cause::work};
  PeerId root;
  std::uint32_t epoch;
  std::uint64_t supplied;      // all told, this message included
  std::uint64_t acknowledged;  // results of this child received, all told
  std::vector<PeerId> ancestors;
  std::vector<Task> tasks;
  [[nodiscard]] std::size_t units() const { return tasks.size(); }
};
// A burst of results; pending requests ride along.
struct Results {
  static constexpr core::MessageInfo info{"results", MessageClass::result, Cause::completion};
  PeerId root;
  std::uint32_t epoch;
  std::uint64_t first;  // number of the first result here, from 0
  std::uint64_t demanded;
  std::vector<Result> list;
  [[nodiscard]] std::size_t units() const { return list.size(); }
};
// Said only where nothing else was for a while.
struct Alive {
  static constexpr core::MessageInfo info{"alive", MessageClass::information, Cause::heartbeat};
  PeerId root;
  std::uint32_t epoch;
  std::uint64_t demanded;
};
struct AliveToo {
  static constexpr core::MessageInfo info{"alive-too", MessageClass::information, Cause::heartbeat};
  PeerId root;
  std::uint32_t epoch;
  std::uint64_t supplied;
  std::uint64_t acknowledged;
  std::vector<PeerId> ancestors;
};
// A node names its best child to its parent; the parent agrees; the node tells the child.
struct Offer {
  static constexpr core::MessageInfo info{"offer", MessageClass::information, Cause::promotion};
  PeerId root;
  PeerId child;
};
struct OfferAccepted {
  static constexpr core::MessageInfo info{"offer-accepted", MessageClass::information,
                                          Cause::promotion};
  PeerId root;
  PeerId child;
};
struct Move {
  static constexpr core::MessageInfo info{"move", MessageClass::information, Cause::promotion};
  PeerId root;
  PeerId to;
};
// The slowest child is to find a place below its siblings, the slowest of which comes first.
struct Evict {
  static constexpr core::MessageInfo info{"evict", MessageClass::information, Cause::eviction};
  PeerId root;
  std::vector<PeerId> candidates;
};
// Re-parenting: the candidate asks, commits on Accept, and only then leaves its old parent.
struct Adopt {
  static constexpr core::MessageInfo info{"adopt", MessageClass::information, Cause::join};
  PeerId root;
  std::uint32_t epoch;
};
struct Accept {
  static constexpr core::MessageInfo info{"accept", MessageClass::information, Cause::join};
  PeerId root;
  std::uint32_t epoch;
  std::vector<PeerId> ancestors;
};
struct Reject {
  static constexpr core::MessageInfo info{"reject", MessageClass::information, Cause::join};
  PeerId root;
  std::uint32_t epoch;
  std::vector<PeerId> children;  // where to try instead
};
struct Leave {
  static constexpr core::MessageInfo info{"leave", MessageClass::information, Cause::departure};
  PeerId root;
};
// "You are no child of mine": the parent has lost its state.
struct Stranger {
  static constexpr core::MessageInfo info{"stranger", MessageClass::information, Cause::recovery};
  PeerId root;
};
// Groups. A leader invites a peer that asked; the answer says what the worker can carry.
struct Enlist {
  static constexpr core::MessageInfo info{"enlist", MessageClass::information, Cause::join};
};
struct Enlisted {
  static constexpr core::MessageInfo info{"enlisted", MessageClass::information, Cause::join};
  std::uint32_t slots;
  double memory;
};
struct Assign {
  static constexpr core::MessageInfo info{"assign", MessageClass::job, Cause::work};
  Task task;
};
// The task, and the how-manieth execution of this worker it was.
struct Done {
  static constexpr core::MessageInfo info{"done", MessageClass::result, Cause::completion};
  TaskId task;
  std::uint64_t execution;
};
// Said only where nothing else was for a while: what the worker was handed and has not done.
struct WorkerAlive {
  static constexpr core::MessageInfo info{"worker-alive", MessageClass::information,
                                          Cause::heartbeat};
  std::vector<TaskId> holding;
};
struct LeaderAlive {
  static constexpr core::MessageInfo info{"leader-alive", MessageClass::information,
                                          Cause::heartbeat};
};
// "You are no worker of mine", or "you are not my leader".
struct Dismiss {
  static constexpr core::MessageInfo info{"dismiss", MessageClass::information, Cause::recovery};
};
// To somebody who asked for work in vain: this peer may know more.
struct Refer {
  static constexpr core::MessageInfo info{"refer", MessageClass::information, Cause::request};
  PeerId to;
};
// These trees have ended, for ever.
struct Terminate {
  static constexpr core::MessageInfo info{"terminate", MessageClass::information,
                                          Cause::termination};
  std::vector<PeerId> roots;
};

}  // namespace rhizome::agents::grid
