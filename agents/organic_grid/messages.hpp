// The messages of the peers of an Organic Grid. Every message names the root of the tree that it is
// about, since a peer may belong to several.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "agents/division.hpp"
#include "agents/facts.hpp"
#include "agents/resources.hpp"
#include "agents/task.hpp"
#include "core/peer/env.hpp"
#include "core/peer/message.hpp"
#include "core/peer/time.hpp"

namespace rhizome::agents::grid {

// A finished task, its executor, and its pace: seconds for each second that the task takes on a
// peer of speed 1. It has strayed if it did not come back, step by step, the way that its task had
// gone.
struct Result {
  Product task;
  PeerId executor;
  double pace = 1;
  bool strayed = false;
  friend bool operator==(const Result&, const Result&) = default;
};
[[nodiscard]] inline double pace_of(const Task& task, Duration service) {
  return core::seconds(service) / std::max(core::seconds(task.duration), 1e-9);
}
// A root lived so long ago, as far as the sender knows.
struct Sighting {
  PeerId root;
  Duration age;
};

// An idle peer asks its neighbours for work, but not of the trees that it serves already. `epoch`
// is the last stay at a parent that it began. A worried peer has not heard of a root for long.
struct Ask {
  static constexpr core::MessageInfo info{"ask", MessageClass::information, Cause::request};
  std::uint64_t epoch = 0;
  bool worried = false;
  std::vector<PeerId> serving{};
};
// To a worried peer: what the sender knows of the roots, or that it has given up.
struct Vouch {
  static constexpr core::MessageInfo info{"vouch", MessageClass::information, Cause::recovery};
  bool hopeless;
  std::vector<Sighting> sightings;
};
// To a peer that lost the tree: the tree lives, and the peer may ask for work.
struct Recall {
  static constexpr core::MessageInfo info{"recall", MessageClass::information, Cause::recovery};
  PeerId root;
  Duration age;
};
// An agent with uncomputed tasks clones itself to the peer that asked, which may become its child.
struct Clone {
  static constexpr core::MessageInfo info{"clone", MessageClass::information, Cause::join};
  PeerId root;
  Duration age;
  std::vector<PeerId> ancestors;  // of the new child: its parent first, the root last
};
// "I am no child of yours": the peer that asked has found work elsewhere meanwhile (epoch 0), or
// has lost the state of its stay.
struct Decline {
  static constexpr core::MessageInfo info{"decline", MessageClass::information, Cause::join};
  PeerId root;
  std::uint64_t epoch;
};
// To the parent: the total of tasks asked for in this epoch. A deficit is thus known by its origin,
// the child, and its sequence, the total: a demand may be repeated or lost without harm, and none
// is counted twice. `received` acknowledges supplies.
struct Demand {
  static constexpr core::MessageInfo info{"demand", MessageClass::information, Cause::request};
  PeerId root;
  std::uint64_t epoch;
  std::uint64_t demanded;
  std::uint64_t received;
};
struct Supply {
  static constexpr core::MessageInfo info{"supply", MessageClass::job, Cause::work};
  PeerId root;
  std::uint64_t epoch;
  std::uint64_t first;         // number of the first task here, from 0 in each epoch
  std::uint64_t acknowledged;  // results of this child received
  Duration age;                // of the last news of the root
  std::vector<PeerId> ancestors;
  std::vector<Task> tasks;
  [[nodiscard]] std::size_t units() const { return tasks.size(); }
};
// A burst of results; pending requests ride along.
struct Results {
  static constexpr core::MessageInfo info{"results", MessageClass::result, Cause::completion};
  PeerId root;
  std::uint64_t epoch;
  std::uint64_t first;  // number of the first result here, from 0 in each epoch
  std::uint64_t demanded;
  std::uint64_t received;
  std::vector<Result> list;
  [[nodiscard]] std::size_t units() const { return list.size(); }
};
// Sent only if nothing else was sent for a while.
struct Alive {
  static constexpr core::MessageInfo info{"alive", MessageClass::information, Cause::heartbeat};
  PeerId root;
  std::uint64_t epoch;
  std::uint64_t demanded;
  std::uint64_t received;
};
struct AliveToo {
  static constexpr core::MessageInfo info{"alive-too", MessageClass::information, Cause::heartbeat};
  PeerId root;
  std::uint64_t epoch;
  std::uint64_t acknowledged;
  Duration age;
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
// The slowest child must find a place below its siblings; the slowest of these comes first.
struct Evict {
  static constexpr core::MessageInfo info{"evict", MessageClass::information, Cause::eviction};
  PeerId root;
  std::vector<PeerId> candidates;
};
// Re-parenting: the candidate asks, commits on Accept, and only then leaves its old parent. Every
// request has an epoch of its own, which is that of the stay if it is granted. The request must
// climb towards the root, unless the candidate is a leaf that has a parent.
struct Adopt {
  static constexpr core::MessageInfo info{"adopt", MessageClass::information, Cause::join};
  PeerId root;
  std::uint64_t epoch;
  bool climbs;
};
// A request that goes up from the host, the peer that was asked, to a child of the root. It passes
// no node that is moving and not the mover itself. So two moves at once cannot make a cycle,
// however old the hosts' chains of ancestors are.
struct Climb {
  static constexpr core::MessageInfo info{"climb", MessageClass::information, Cause::join};
  PeerId root;
  PeerId mover;
  std::uint64_t epoch;  // of the request
  PeerId host;
  std::uint64_t host_epoch;
  std::uint32_t steps;
};
// The result of the climb, to the host.
struct Climbed {
  static constexpr core::MessageInfo info{"climbed", MessageClass::information, Cause::join};
  PeerId root;
  PeerId mover;
  std::uint64_t epoch;
  std::uint64_t host_epoch;
  bool clear;
};
// The request is on its way up, so many steps.
struct Wait {
  static constexpr core::MessageInfo info{"wait", MessageClass::information, Cause::join};
  PeerId root;
  std::uint64_t epoch;
  std::uint32_t steps;
};
struct Accept {
  static constexpr core::MessageInfo info{"accept", MessageClass::information, Cause::join};
  PeerId root;
  std::uint64_t epoch;
  Duration age;
  std::vector<PeerId> ancestors;
};
struct Reject {
  static constexpr core::MessageInfo info{"reject", MessageClass::information, Cause::join};
  PeerId root;
  std::uint64_t epoch;
  std::vector<PeerId> children;  // where to try instead
};
// A child ends its stay. It has received so many tasks, and takes no more from here.
struct Leave {
  static constexpr core::MessageInfo info{"leave", MessageClass::information, Cause::departure};
  PeerId root;
  std::uint64_t epoch;
  std::uint64_t received;
};
// The former parent has received so many results of that stay, and takes no more.
struct Settled {
  static constexpr core::MessageInfo info{"settled", MessageClass::information, Cause::departure};
  PeerId root;
  std::uint64_t epoch;
  std::uint64_t acknowledged;
};
// "You are no child of mine in that epoch": the parent has lost its state.
struct Stranger {
  static constexpr core::MessageInfo info{"stranger", MessageClass::information, Cause::recovery};
  PeerId root;
  std::uint64_t epoch;
};
// Where a task is, as far as a peer knows that has had it.
enum class Place : std::uint8_t {
  waiting,  // here, and not begun
  running,  // here
  done,     // its result is here, and on its way up
  passed,   // to another peer: a child, a former one, the parent that has its result, or the root
  unknown,  // this peer never had it, or has lost its state
  last = unknown,
};
struct Whereabouts {
  TaskId task;
  Place place;
  PeerId to;  // the peer that it was passed to
  friend bool operator==(const Whereabouts&, const Whereabouts&) = default;
};
// The root asks a peer for tasks that went there. It has `wanted` hands free: so many of those that
// wait there are to be given back to it, which the answer calls passed to the root.
struct Inquiry {
  static constexpr core::MessageInfo info{"inquiry", MessageClass::information, Cause::recovery};
  PeerId root;
  std::uint64_t number;  // of the question, from 1; the answer repeats it
  std::uint64_t wanted;
  std::vector<TaskId> tasks;
};
struct InquiryReply {
  static constexpr core::MessageInfo info{"inquiry-reply", MessageClass::information,
                                          Cause::recovery};
  PeerId root;
  std::uint64_t number;
  std::vector<Whereabouts> list;
};
// A task that a node has passed on to another peer.
struct Passed {
  TaskId task;
  PeerId to;
  friend bool operator==(const Passed&, const Passed&) = default;
};
// From a node that leaves for good to the root: where the tasks that came by it went.
struct ForwardingAddresses {
  static constexpr core::MessageInfo info{"forwarding-addresses", MessageClass::information,
                                          Cause::departure};
  PeerId root;
  std::vector<Passed> list;
};
// The root knows this of these tasks, and the node may leave.
struct AddressesKept {
  static constexpr core::MessageInfo info{"addresses-kept", MessageClass::information,
                                          Cause::departure};
  PeerId root;
  std::vector<TaskId> tasks;
};
// Groups. A leader invites a peer that asked; the answer tells the worker's room. A stay in a group
// has an epoch, which the worker chooses and both repeat: messages of an earlier stay are ignored.
struct Enlist {
  static constexpr core::MessageInfo info{"enlist", MessageClass::information, Cause::join};
};
struct Enlisted {
  static constexpr core::MessageInfo info{"enlisted", MessageClass::information, Cause::join};
  std::uint64_t epoch;
  Resources room;
};
struct Assign {
  static constexpr core::MessageInfo info{"assign", MessageClass::job, Cause::work};
  std::uint64_t epoch;
  Task task;
};
struct Done {
  static constexpr core::MessageInfo info{"done", MessageClass::result, Cause::completion};
  std::uint64_t epoch;
  Product task;
  double pace;  // as in Result
};
// Sent only if nothing else was sent for a while: the assigned tasks that the worker has not done.
struct WorkerAlive {
  static constexpr core::MessageInfo info{"worker-alive", MessageClass::information,
                                          Cause::heartbeat};
  std::uint64_t epoch;
  std::vector<TaskId> holding;
};
struct LeaderAlive {
  static constexpr core::MessageInfo info{"leader-alive", MessageClass::information,
                                          Cause::heartbeat};
  std::vector<Sighting> sightings;
};
// "You are no worker of mine", in that stay; or "you are not my leader", from a worker whose last
// stay anywhere is that one.
struct Dismiss {
  static constexpr core::MessageInfo info{"dismiss", MessageClass::information, Cause::recovery};
  std::uint64_t epoch;
};
// To a peer that asked for work in vain: this peer may know more.
struct Refer {
  static constexpr core::MessageInfo info{"refer", MessageClass::information, Cause::request};
  PeerId to;
};
// The trees with these roots have ended, for ever.
struct Terminate {
  static constexpr core::MessageInfo info{"terminate", MessageClass::information,
                                          Cause::termination};
  std::vector<PeerId> roots;
};

using Messages = core::OneOf<Ask, Vouch, Recall, Clone, Decline, Demand, Supply, Results, Alive,
                             AliveToo, Offer, OfferAccepted, Move, Evict, Adopt, Climb, Climbed,
                             Wait, Accept, Reject, Leave, Settled, Stranger, Terminate, Enlist,
                             Enlisted, Assign, Done, WorkerAlive, LeaderAlive, Dismiss, Refer,
                             Inquiry, InquiryReply, ForwardingAddresses, AddressesKept>;

struct HeartbeatDue {};
struct AskDue {};
using Timers = core::OneOf<HeartbeatDue, AskDue, DivideDue>;

using Facts = core::OneOf<TaskStarted, TaskExecuted, TaskComputed, TaskReissued, TaskHanded,
                          ParentChanged, GroupChanged, RunFailed, ServiceLost>;

using Env = core::Env<Messages, Timers, Facts>;

}  // namespace rhizome::agents::grid
