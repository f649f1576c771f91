// What the door, the head, its standby and its workers say to each other. The door stands where
// work enters and is always there: it names the head to whoever asks, and decides who succeeds it.
// An epoch is the reign of one head; what is of an earlier one is not obeyed.
#pragma once

#include <cstdint>
#include <vector>

#include "agents/central/facts.hpp"
#include "agents/facts.hpp"
#include "agents/server.hpp"
#include "agents/task.hpp"
#include "core/peer/env.hpp"
#include "core/peer/message.hpp"
#include "core/peer/time.hpp"
#include "overlay/liveness_facts.hpp"

namespace rhizome::agents::central {

using core::Cause;
using core::Duration;
using core::MessageClass;
using core::PeerId;
using core::Time;
using Epoch = std::uint64_t;

// Tasks in one message: what a packet can carry.
inline constexpr std::size_t most_tasks = 1000;

// The door to the head: tasks, again until they are taken.
struct Hand {
  static constexpr core::MessageInfo info{"hand", MessageClass::job, Cause::work};
  std::uint32_t number;
  std::vector<Task> tasks;
  [[nodiscard]] std::size_t units() const { return tasks.size(); }
};
// The head to the door: it has them; and once they are kept, a copy of the books has them as well,
// so that they outlive the head.
struct Taken {
  static constexpr core::MessageInfo info{"taken", MessageClass::information, Cause::work};
  std::uint32_t number;
  bool kept;
};
// The head to a worker: execute this, once the model has been loaded.
struct Assign {
  static constexpr core::MessageInfo info{"assign", MessageClass::job, Cause::work};
  Epoch epoch;
  std::uint64_t batch;
  Duration load;
  std::vector<Task> tasks;
  [[nodiscard]] std::size_t units() const { return tasks.size(); }
};
struct Got {
  static constexpr core::MessageInfo info{"got", MessageClass::information, Cause::recovery};
  Epoch epoch;
  std::uint64_t batch;
};
// The head to a worker: stop that batch, and give back what is left of it.
struct Preempt {
  static constexpr core::MessageInfo info{"preempt", MessageClass::information, Cause::work};
  Epoch epoch;
  std::uint64_t batch;
};
// A worker to the head: what has been executed of a batch; all of it, or what was before it was
// stopped. Said again until the head has noted it, where messages may be lost.
struct Done {
  static constexpr core::MessageInfo info{"done", MessageClass::result, Cause::completion};
  Epoch epoch;
  std::uint64_t batch;
  Duration took;
  std::vector<Product> tasks;
  [[nodiscard]] std::size_t units() const { return tasks.size(); }
};
struct Noted {
  static constexpr core::MessageInfo info{"noted", MessageClass::information, Cause::recovery};
  Epoch epoch;
  std::uint64_t batch;
};
struct Result {
  Product task;
  PeerId executor;
};
// The head to the door, and the door's answer, after which the head need not know of them.
struct Report {
  static constexpr core::MessageInfo info{"report", MessageClass::result, Cause::completion};
  Epoch epoch;
  std::uint32_t number;
  std::vector<Result> results;
  [[nodiscard]] std::size_t units() const { return results.size(); }
};
struct Counted {
  static constexpr core::MessageInfo info{"counted", MessageClass::information, Cause::completion};
  Epoch epoch;
  std::uint32_t number;
};

// The batch time of a model, as measured so far.
struct Measure {
  std::uint64_t batches = 0;
  Duration total{0};
};
// A part of what has changed in the head's books, in order: to the standby at once, or to the store
// every so often; and all of them from the store to a new head.
struct Relay {
  static constexpr core::MessageInfo info{"relay", MessageClass::information, Cause::maintenance};
  Epoch epoch;
  std::uint32_t copy;                // of this epoch; a later one begins anew
  std::uint32_t number;              // of this copy's parts, from 1
  bool whole;                        // of all, not of what has changed
  bool last;                         // of the whole, with which it counts
  std::vector<std::uint32_t> hands;  // that have been taken with this part
  std::vector<Task> added;
  std::vector<TaskId> done;
  std::vector<Measure> measured;  // by model; none: as before
};
struct Relayed {
  static constexpr core::MessageInfo info{"relayed", MessageClass::information, Cause::maintenance};
  Epoch epoch;
  std::uint32_t copy;
  std::uint32_t number;  // all parts up to this one
};

// The head to its workers, its standby and the door.
struct Ping {
  static constexpr core::MessageInfo info{"ping", MessageClass::information, Cause::heartbeat};
  Epoch epoch;
  Duration silence;      // of the door
  std::uint64_t joined;  // the number of the wish to join that the head has granted last
};
struct Pong {
  static constexpr core::MessageInfo info{"pong", MessageClass::information, Cause::heartbeat};
  Epoch epoch;
};
// To the door: who leads? And its answer; nobody, if it does not know. A life of its own tells a
// head that has forgotten what it knew.
struct Who {
  static constexpr core::MessageInfo info{"who", MessageClass::information, Cause::join};
  std::uint32_t life;
};
struct Leader {
  static constexpr core::MessageInfo info{"leader", MessageClass::information, Cause::join};
  Epoch epoch;
  PeerId head;
};
// To the head: a worker that has nothing to do. Whenever it drops what it had, its number rises.
struct Join {
  static constexpr core::MessageInfo info{"join", MessageClass::information, Cause::join};
  Epoch epoch;
  std::uint64_t number;
};
// A worker to the head: it takes no more batches, and shall be let go once it has none; and the
// head's consent, after which it sends it nothing.
struct Retire {
  static constexpr core::MessageInfo info{"retire", MessageClass::information, Cause::departure};
  Epoch epoch;
};
struct Retired {
  static constexpr core::MessageInfo info{"retired", MessageClass::information, Cause::departure};
  Epoch epoch;
};
// The head to the door: this peer has a copy of the books from now on, or nobody has; and its
// consent, without which it does not count.
struct Register {
  static constexpr core::MessageInfo info{"register", MessageClass::information,
                                          Cause::maintenance};
  Epoch epoch;
  PeerId standby;
  std::uint32_t copy;  // of this epoch
};
struct Registered {
  static constexpr core::MessageInfo info{"registered", MessageClass::information,
                                          Cause::maintenance};
  Epoch epoch;
  PeerId standby;
  std::uint32_t copy;
};
// To the door: the head of this epoch is dead, let me succeed it; and the door's consent, with the
// number of an epoch that nobody else is given.
struct Claim {
  static constexpr core::MessageInfo info{"claim", MessageClass::information, Cause::election};
  Epoch epoch;
  std::uint32_t life;
};
struct Grant {
  static constexpr core::MessageInfo info{"grant", MessageClass::information, Cause::election};
  Epoch epoch;
};
// Bully (Garcia-Molina 1982): to all of a higher address, who say that they live.
struct Elect {
  static constexpr core::MessageInfo info{"elect", MessageClass::information, Cause::election};
  Epoch epoch;
};
struct Yield {
  static constexpr core::MessageInfo info{"yield", MessageClass::information, Cause::election};
  Epoch epoch;
};
// The door: the run is over.
struct Over {
  static constexpr core::MessageInfo info{"over", MessageClass::information, Cause::termination};
  bool failed;
};

using Messages = core::OneOf<Hand, Taken, Assign, Got, Preempt, Done, Noted, Report, Counted, Relay,
                             Relayed, Ping, Pong, Who, Leader, Join, Register, Registered, Claim,
                             Grant, Elect, Yield, Over, Retire, Retired>;

struct TickDue {};
struct SnapshotDue {};
using Timers = core::OneOf<TickDue, SnapshotDue, DivideDue>;

using Facts = core::OneOf<TaskStarted, TaskExecuted, TaskComputed, TaskReissued, TaskHanded,
                          RunFailed, HeadElected, StandbyChanged, ShareChanged, BatchEnded,
                          overlay::PeerSuspected, overlay::PeerDead, ServiceLost>;

using Env = core::Env<Messages, Timers, Facts>;

}  // namespace rhizome::agents::central
