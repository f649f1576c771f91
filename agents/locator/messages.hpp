// The messages between peers about tasks that move while other tasks look for them (Peterson,
// dissertation, sections 6 and 7: the LocationForwarder). Versions, acknowledgements and the
// recovery from losses are ours.
#pragma once

#include <cstdint>
#include <vector>

#include "agents/locator/facts.hpp"
#include "agents/task.hpp"
#include "core/peer/ids.hpp"
#include "core/peer/message.hpp"

namespace rhizome::agents::locator {

// Where a task was in one of its epochs.
struct Address {
  PeerId peer;
  Epoch version = 0;
  friend bool operator==(const Address&, const Address&) = default;
};

// A predecessor or successor of a task, its last known address, and the bytes that pass between the
// two tasks.
struct Neighbour {
  TaskId task;
  Address at;
  std::uint64_t bytes = 0;
};

// A task as it moves, with all data that it has been given.
struct Mobile {
  Task task;
  Epoch epoch = 0;
  std::vector<Neighbour> unmet{};  // predecessors whose data it still needs
  std::vector<Neighbour> met{};    // predecessors whose data it has
  std::vector<PeerId> visited{};   // where it was before, each once, the latest last
  std::vector<Neighbour> successors{};
  std::uint32_t level = 0;  // tasks before it in the longest chain of its graph
};

// The task has got the data of that predecessor, and takes them along from here on.
inline void take_along(Mobile& mobile, const Neighbour& giver) {
  mobile.met.push_back(giver);
  mobile.task.brings.bytes += giver.bytes;
}

// Hands a task over: it belongs to the receiver once the receiver has taken it. Repeated until
// answered.
struct Move {
  static constexpr core::MessageInfo info{"move", MessageClass::job, Cause::work};
  Mobile mobile;
};
// The task has been taken in that epoch; or it never will be, because the move was called off.
struct Moved {
  static constexpr core::MessageInfo info{"moved", MessageClass::information, Cause::recovery};
  TaskId task;
  Epoch epoch = 0;
  bool taken = true;
};
// Asks the receiver not to take the task any more in that epoch. The answer is Moved.
struct MoveCancel {
  static constexpr core::MessageInfo info{"move-cancel", MessageClass::information,
                                          Cause::recovery};
  TaskId task;
  Epoch epoch = 0;
};

// The way of a message that looks for a task: for which task, and which peers passed it on.
struct Route {
  TaskId to;
  TaskId from;
  PeerId origin;
  Epoch version = 0;  // version of the address that the message was sent to
  std::vector<PeerId> path{};
};
// The data that one task gives another. The origin repeats them until it is told that they were
// delivered.
struct Data {
  static constexpr core::MessageInfo info{"data", MessageClass::result, Cause::work};
  Route route;
  core::DeclaredBytes datum{};
};
// Asks where a task is.
struct Find {
  static constexpr core::MessageInfo info{"find", MessageClass::information, Cause::probe};
  Route route;
  bool all = false;  // all peers are asked, so no peer passes it on
};
// Says where a task is, or was. It never causes another Location.
struct Location {
  static constexpr core::MessageInfo info{"location", MessageClass::information,
                                          Cause::maintenance};
  TaskId task;
  Address at;
  std::vector<TaskId> delivered{};  // tasks whose data it has; itself among them: it needs no more
                                    // data
};
// The task needs no more data: forwarders to it may go. Repeated until answered.
struct Remove {
  static constexpr core::MessageInfo info{"remove", MessageClass::information, Cause::maintenance};
  TaskId task;
  Epoch epoch = 0;
};
struct Removed {
  static constexpr core::MessageInfo info{"removed", MessageClass::information, Cause::recovery};
  TaskId task;
  Epoch epoch = 0;
};
using Messages = core::OneOf<Move, Moved, MoveCancel, Data, Find, Location, Remove, Removed>;

// The effects of handling one event.
struct LocatorEffects {
  struct Send {
    PeerId to;
    Messages message;
    bool again = false;  // it was sent before, or is sent because something was lost
  };
  // A datum came to its task for the first time.
  struct Delivery {
    TaskId to;
    TaskId from;
    std::uint32_t hops = 0;  // messages that carried the datum on its way here
  };
  std::vector<Send> sends{};
  std::vector<TaskId> arrived{};  // tasks that are here now
  std::vector<TaskId> ready{};    // of these, tasks that need no more data
  std::vector<Delivery> deliveries{};
  std::vector<TaskId> alarms{};  // tasks for which messages waited here in vain
  std::vector<Facts> notes{};    // in the order in which they happened
};

}  // namespace rhizome::agents::locator
