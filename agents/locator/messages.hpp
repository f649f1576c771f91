// What peers say to each other about tasks that move while others look for them (Peterson,
// dissertation, sections 6 and 7: the LocationForwarder). Versions, acknowledgements and the
// recovery from losses are ours.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "agents/locator/facts.hpp"
#include "agents/task.hpp"
#include "core/peer/ids.hpp"
#include "core/peer/message.hpp"

namespace rhizome::agents::locator {

using core::Cause;
using core::MessageClass;
using core::PeerId;

// Where a task was in one of its epochs.
struct Address {
  PeerId peer;
  Epoch version = 0;
  friend bool operator==(const Address&, const Address&) = default;
};

// A task before or behind another, where it was heard of last, and the bytes that pass between the
// two.
struct Neighbour {
  TaskId task;
  Address at;
  std::uint64_t bytes = 0;
};

// A task as it moves, with all that it has been given.
struct Mobile {
  Task task;
  Epoch epoch = 0;
  std::vector<Neighbour> unmet{};  // those that it still needs
  std::vector<Neighbour> met{};    // those that have given it what it needs
  std::vector<PeerId> visited{};   // where it was before, each once, the latest last
  std::vector<Neighbour> successors{};
  std::uint32_t level = 0;  // tasks before it in the longest chain of its graph
};

// It has been given what it needs of that one, and takes it along from here on.
inline void take_along(Mobile& mobile, const Neighbour& giver) {
  mobile.met.push_back(giver);
  mobile.task.brings.bytes += giver.bytes;
}

// The task, which is the receiver's once it has taken it. Repeated until it is answered.
struct Move {
  static constexpr core::MessageInfo info{"move", MessageClass::job, Cause::work};
  Mobile mobile;
};
// The task has been taken in that epoch; or it never will be, because its move was called off.
struct Moved {
  static constexpr core::MessageInfo info{"moved", MessageClass::information, Cause::recovery};
  TaskId task;
  Epoch epoch = 0;
  bool taken = true;
};
// Do not take the task any more in that epoch. It is answered by Moved.
struct MoveCancel {
  static constexpr core::MessageInfo info{"move-cancel", MessageClass::information,
                                          Cause::recovery};
  TaskId task;
  Epoch epoch = 0;
};

// The way of what looks for a task: on whose behalf, and by whom it was passed on.
struct Route {
  TaskId to;
  TaskId from;
  PeerId origin;
  Epoch version = 0;  // of the address that it was sent to
  std::vector<PeerId> path{};
};
// What one task gives another. The origin repeats it until it is told that it was delivered.
struct Data {
  static constexpr core::MessageInfo info{"data", MessageClass::result, Cause::work};
  Route route;
  core::DeclaredBytes datum{};
};
// Where is it?
struct Find {
  static constexpr core::MessageInfo info{"find", MessageClass::information, Cause::probe};
  Route route;
  bool everybody = false;  // is asked, so that nobody passes it on
};
// It is there, or was. It never causes another of its kind.
struct Location {
  static constexpr core::MessageInfo info{"location", MessageClass::information,
                                          Cause::maintenance};
  TaskId task;
  Address at;
  std::vector<TaskId> delivered{};  // whose data it has; itself among them: it needs nobody more
};
// The task needs nobody any more: forwarders to it may go. Repeated until it is answered.
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

// What handling an event has led to.
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
    std::uint32_t hops = 0;  // messages that brought it, of those that came through
  };
  std::vector<Send> sends{};
  std::vector<TaskId> arrived{};  // tasks that are here now
  std::vector<TaskId> ready{};    // of these, tasks that need nobody any more
  std::vector<Delivery> deliveries{};
  std::vector<TaskId> alarms{};  // tasks for which something waited here in vain
  std::vector<Facts> notes{};    // in the order in which it came about
};

}  // namespace rhizome::agents::locator
