// The messages between the door, the head, its standby and its workers. The door is the peer where
// work enters, and is always there: it names the head to peers that ask, and decides the
// succession. An epoch is the term of one head; messages of an earlier epoch are ignored.
#pragma once

#include <cstdint>
#include <vector>

#include "agents/central/facts.hpp"
#include "agents/division.hpp"
#include "agents/facts.hpp"
#include "agents/farewell.hpp"
#include "agents/task.hpp"
#include "core/peer/env.hpp"
#include "core/peer/message.hpp"
#include "core/peer/time.hpp"
#include "overlay/liveness_facts.hpp"

namespace rhizome::agents::central {

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
// The head to the door: it has the tasks of that hand. `kept`: a copy of the books has them as
// well, so that they survive the head.
struct Taken {
  static constexpr core::MessageInfo info{"taken", MessageClass::information, Cause::work};
  std::uint32_t number;
  bool kept;
};
// The head to a worker: load the model, then execute these tasks.
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
// The head to a worker: stop that batch, and return the rest of it.
struct Preempt {
  static constexpr core::MessageInfo info{"preempt", MessageClass::information, Cause::work};
  Epoch epoch;
  std::uint64_t batch;
};
// A worker to the head: the executed tasks of a batch, which are all unless it was preempted.
// Repeated until the head has noted it, if messages may be lost.
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
// The head to the door: results; and the door's answer, after which the head forgets them.
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

// The measured batch times of a model.
struct Measure {
  std::uint64_t batches = 0;
  Duration total{0};
};
// A part of the changes of the head's books, in order: to the standby at once, or to the store
// periodically; and a complete copy from the store to a new head.
struct Relay {
  static constexpr core::MessageInfo info{"relay", MessageClass::information, Cause::maintenance};
  Epoch epoch;
  std::uint32_t copy;                // its number in this epoch; a later one starts again
  std::uint32_t number;              // of this part in the copy, from 1
  bool whole;                        // a part of a complete copy, not a change
  bool last;                         // the last part, which makes the complete copy valid
  std::vector<std::uint32_t> hands;  // taken with this part
  std::vector<Task> added;
  std::vector<TaskId> done;
  std::vector<Measure> measured;  // by model; empty: unchanged
};
struct Relayed {
  static constexpr core::MessageInfo info{"relayed", MessageClass::information, Cause::maintenance};
  Epoch epoch;
  std::uint32_t copy;
  std::uint32_t number;  // of the last part without a gap before it
};

// The head to its workers, its standby and the door.
struct Ping {
  static constexpr core::MessageInfo info{"ping", MessageClass::information, Cause::heartbeat};
  Epoch epoch;
  Duration silence;      // time since the head heard the door
  std::uint64_t joined;  // the number of the receiver's Join that the head accepted last
};
struct Pong {
  static constexpr core::MessageInfo info{"pong", MessageClass::information, Cause::heartbeat};
  Epoch epoch;
};
// To the door: which peer is the head? The answer names it, or core::no_peer if there is none. The
// sender's life tells the door that a restarted head has lost its books.
struct Who {
  static constexpr core::MessageInfo info{"who", MessageClass::information, Cause::join};
  std::uint32_t life;
};
struct Leader {
  static constexpr core::MessageInfo info{"leader", MessageClass::information, Cause::join};
  Epoch epoch;
  PeerId head;
};
// To the head: a worker without any batch. Its number rises whenever it drops its batches.
struct Join {
  static constexpr core::MessageInfo info{"join", MessageClass::information, Cause::join};
  Epoch epoch;
  std::uint64_t number;
};
// A worker to the head: it accepts no more batches, and asks to be released once it has none; and
// the head's consent, the last message to that worker.
struct Retire {
  static constexpr core::MessageInfo info{"retire", MessageClass::information, Cause::departure};
  Epoch epoch;
};
struct Retired {
  static constexpr core::MessageInfo info{"retired", MessageClass::information, Cause::departure};
  Epoch epoch;
};
// The head to the door: this peer has a copy of the books from now on (core::no_peer: no peer has);
// and the door's consent, without which the registration is not valid.
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
// To the door: the head of this epoch is dead, and the sender claims its office; and the door's
// consent, with the number of an epoch that no other peer gets.
struct Claim {
  static constexpr core::MessageInfo info{"claim", MessageClass::information, Cause::election};
  Epoch epoch;
  std::uint32_t life;
};
struct Grant {
  static constexpr core::MessageInfo info{"grant", MessageClass::information, Cause::election};
  Epoch epoch;
};
// Bully (Garcia-Molina 1982): to all peers with higher addresses; and the answer of those alive.
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
  bool failed = false;
};

using Messages = core::OneOf<Hand, Taken, Assign, Got, Preempt, Done, Noted, Report, Counted, Relay,
                             Relayed, Ping, Pong, Who, Leader, Join, Register, Registered, Claim,
                             Grant, Elect, Yield, Over, OverToo, Retire, Retired>;

struct TickDue {};
struct SnapshotDue {};
using Timers = core::OneOf<TickDue, SnapshotDue, OverDue, DivideDue>;

using Facts =
    core::Joined<WorkFacts,
                 core::OneOf<TaskReissued, RunFailed, overlay::PeerSuspected, overlay::PeerDead>,
                 OwnFacts>;

using Env = core::Env<Messages, Timers, Facts>;

}  // namespace rhizome::agents::central
