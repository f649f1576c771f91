// What dispatchers and servers say to each other (Bravi, Facchiano, Vestini: Data Center, Challenge
// 2, section 1.2). Query, Standing, Threshold and Free are the messages about state that the report
// counts; messages of cause recovery are our design.
#pragma once

#include <cstdint>
#include <vector>

#include "agents/dispatcher/facts.hpp"
#include "agents/division.hpp"
#include "agents/facts.hpp"
#include "agents/farewell.hpp"
#include "agents/task.hpp"
#include "core/peer/env.hpp"
#include "core/peer/ids.hpp"
#include "core/peer/message.hpp"

namespace rhizome::agents::dispatching {

// Which of two hand-overs a message is about: from the source to a dispatcher, where there are
// several, or from a dispatcher to a server.
enum class Level : std::uint8_t { deal, assign, last = assign };

// The state of a server. `arrivals` is one more than the tasks that had come to it in this life.
struct Standing {
  static constexpr core::MessageInfo info{"standing", MessageClass::information, Cause::probe};
  std::uint64_t round = 0;  // of the question
  Duration work{0};         // unfinished work, by estimated durations
  std::uint64_t tasks = 0;  // there, those that are served included
  std::uint64_t arrivals = 0;
};
// Asks a server for its state.
struct Query {
  static constexpr core::MessageInfo info{"query", MessageClass::information, Cause::probe};
  std::uint64_t round = 0;
};
// The dispatcher's threshold, in nanoseconds of unfinished work or in tasks, and whether it holds
// the receiver for free: if not, it is to say when it is below.
struct Threshold {
  static constexpr core::MessageInfo info{"threshold", MessageClass::information,
                                          Cause::maintenance};
  std::int64_t limit = 0;
  bool free = false;
};
// The sender is below the threshold, or idle.
struct Free {
  static constexpr core::MessageInfo info{"free", MessageClass::information, Cause::probe};
  std::uint64_t arrivals = 0;
};

// One of the tasks that a giver handed to a taker: numbers count from 1 for each life of the giver
// and each taker.
struct Item {
  std::uint64_t number = 0;
  TaskId task{};
};
struct Assign {
  static constexpr core::MessageInfo info{"assign", MessageClass::job, Cause::work};
  Level level{};
  std::uint32_t life = 0;  // of the giver
  std::uint64_t number = 0;
  std::uint64_t arrivals = 0;  // as the server told, for which it was chosen; 0: it was not
  Task task;
};
struct Done {
  static constexpr core::MessageInfo info{"done", MessageClass::result, Cause::completion};
  Level level{};
  std::uint32_t life = 0;  // of the giver
  std::uint64_t number = 0;
  PeerId executor;
  Product product{};
};
struct Noted {
  static constexpr core::MessageInfo info{"noted", MessageClass::information, Cause::recovery};
  Level level{};
  TaskId task;
};
// Asks whether these tasks are still there, the oldest first; without tasks, whether the receiver
// is.
struct Ask {
  static constexpr core::MessageInfo info{"ask", MessageClass::information, Cause::recovery};
  Level level{};
  std::uint32_t life = 0;  // of the giver
  std::vector<Item> items;
};
// The answer to Ask: these tasks are not here and will not be taken any more; all others that were
// asked for are here.
struct Missing {
  static constexpr core::MessageInfo info{"missing", MessageClass::information, Cause::recovery};
  Level level{};
  std::uint32_t life = 0;  // of the giver
  std::vector<Item> items;
};
// From a later life of a peer, or a peer that has not heard of the source for long. The source
// answers; a dispatcher learns that the server has restarted, without tasks.
struct Hello {
  static constexpr core::MessageInfo info{"hello", MessageClass::information, Cause::join};
  bool begins = false;
};
struct Welcome {
  static constexpr core::MessageInfo info{"welcome", MessageClass::information, Cause::join};
};
using Messages = core::OneOf<Query, Standing, Threshold, Free, Assign, Done, Noted, Ask, Missing,
                             Hello, Welcome, Over, OverToo>;

struct RenewDue {};  // the threshold
struct RoundDue {    // answers to a question are missing
  std::uint64_t round = 0;
};
struct BelowDue {};  // a server may be below a threshold
struct AskDue {
  Level level{};
};
struct ResultDue {
  Level level{};
};
struct HelloDue {};
using Timers =
    core::OneOf<RenewDue, RoundDue, BelowDue, AskDue, ResultDue, HelloDue, OverDue, DivideDue>;

using Facts = core::Joined<WorkFacts, core::OneOf<TaskReissued, RunFailed>, OwnFacts>;

using Env = core::Env<Messages, Timers, Facts>;

}  // namespace rhizome::agents::dispatching
