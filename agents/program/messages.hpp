// The messages between peers that are programs, and between them and the clients at the source.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "agents/facts.hpp"
#include "agents/farewell.hpp"
#include "agents/overlay_facts.hpp"
#include "agents/program/facts.hpp"
#include "agents/server.hpp"
#include "agents/task.hpp"
#include "core/peer/env.hpp"
#include "core/peer/message.hpp"

namespace rhizome::agents::program {

// Messages of programs: one type for each message class, because burdens are counted by class.

struct Job {
  static constexpr core::MessageInfo info{"program-job", core::MessageClass::job,
                                          core::Cause::work};
  std::string body;
  std::vector<Task> tasks;
  [[nodiscard]] std::size_t units() const { return tasks.empty() ? 1 : tasks.size(); }
};
struct Result {
  static constexpr core::MessageInfo info{"program-result", core::MessageClass::result,
                                          core::Cause::completion};
  std::string body;
  std::vector<Product> products;
  [[nodiscard]] std::size_t units() const { return products.empty() ? 1 : products.size(); }
};
struct Information {
  static constexpr core::MessageInfo info{"program-information", core::MessageClass::information,
                                          core::Cause::request};
  std::string body;
};

// What a client asks of a peer, and the answer. The peer works on the tasks (none or one) before
// its program gets the message.
struct Ask {
  static constexpr core::MessageInfo info{"operation", core::MessageClass::job, core::Cause::work};
  std::string body;
  std::vector<Task> tasks;
};
// The client is named after the peer that it asked, and another peer may answer for that.
struct Answer {
  static constexpr core::MessageInfo info{"answer", core::MessageClass::result,
                                          core::Cause::completion};
  core::PeerId client;
  std::string body;
};
// A question of the client of that peer, which the peer passes on.
struct Relay {
  static constexpr core::MessageInfo info{"relay", core::MessageClass::information,
                                          core::Cause::request};
  core::PeerId client;
  std::string body;
};

// What a program asks of a store at the source, and the answer.
struct AskStore {
  static constexpr core::MessageInfo info{"store-request", core::MessageClass::information,
                                          core::Cause::request};
  std::string store;
  std::string body;
};
struct StoreAnswer {
  static constexpr core::MessageInfo info{"store-answer", core::MessageClass::information,
                                          core::Cause::request};
  std::string store;
  std::string body;
};

// From a peer that begins late or anew: it may have missed that all work is done.
struct Hello {
  static constexpr core::MessageInfo info{"hello", core::MessageClass::information,
                                          core::Cause::termination};
};

template <class M>
inline constexpr bool has_body = requires(const M& message) {
  message.body;
};

struct TimerDue {
  std::string name;
};
// The time until which a program said that it is idle has come.
struct IdleDue {};
// Time to read messages that a program sends unasked, if it does not work in lock-step.
struct ListenDue {};
// An operation has had no answer for long.
struct AnswerDue {
  std::uint32_t number;
};
// Clients have been quiet for long enough to look at what peers know.
struct SettleDue {};

using Messages = core::OneOf<Job, Result, Information, Ask, Answer, AskStore, StoreAnswer, Over,
                             OverToo, Hello, Relay>;
using Timers = core::OneOf<TimerDue, IdleDue, ListenDue, OverDue, AnswerDue, SettleDue, DivideDue>;
using Facts =
    core::OneOf<TaskStarted, TaskExecuted, TaskComputed, TaskHanded, TaskReissued, ServiceLost,
                RunFailed, LinkHeld, ProgramNoted, ValueStable, OperationUnanswered>;
using Env = core::Env<Messages, Timers, Facts>;

}  // namespace rhizome::agents::program
