// Tasks that wander: each moves by itself, a number of times, to peers that are drawn, while the
// data that it needs look for it; then it runs where it is. This is no scheduler for use, but the
// smallest program in which a locator can be watched: every move that may come is a timer of its
// own, so that choosing the order of timers means choosing the moves. Messages may be lost; no peer
// may die.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "agents/division.hpp"
#include "agents/facts.hpp"
#include "agents/farewell.hpp"
#include "agents/locator/service.hpp"
#include "agents/server.hpp"
#include "agents/task.hpp"
#include "agents/wander/options.hpp"
#include "core/peer/env.hpp"
#include "core/peer/ids.hpp"
#include "core/peer/message.hpp"

namespace rhizome::agents::wandering {

// The messages of the scheduler wander, besides those of its locators.

// To the source: this task is done.
struct Result {
  static constexpr core::MessageInfo info{"result", MessageClass::result, Cause::completion};
  TaskId task;
};
// The source has got the result, and it need not be sent again.
struct Noted {
  static constexpr core::MessageInfo info{"noted", MessageClass::information, Cause::recovery};
  TaskId task;
};
struct Heard {
  static constexpr core::MessageInfo info{"heard", MessageClass::information, Cause::termination};
};
using Messages = core::OneOf<Result, Noted, Over, Heard>;

// A task goes to that peer now, unless it has gone elsewhere, or has begun.
struct MoveDue {
  TaskId task;
  PeerId to;
};
// A task that needs no more data begins, although it might still move.
struct BeginDue {
  TaskId task;
};
// The move of a task is called off, unless the task has come there.
struct CallOffDue {
  TaskId task;
};
struct RepeatDue {};
using Timers = core::OneOf<MoveDue, BeginDue, CallOffDue, RepeatDue, DivideDue>;

using Env = core::Env<Messages, Timers, WorkFacts>;

}  // namespace rhizome::agents::wandering

namespace rhizome::agents {

class Wander {
 public:
  using Messages = wandering::Messages;
  using Timers = wandering::Timers;
  using Env = wandering::Env;
  using Hears = core::OneOf<Submitted, Drained, locator::Arrived, locator::Ready, locator::Quiet>;
  static constexpr std::string_view name = "wander";

  // `locator`: of the same peer, controlled by signals.
  Wander(core::PeerId self, const wandering::Options& options, const World& world,
         const locator::Locator& locator);

  template <core::one_of<Messages> M>
  [[nodiscard]] bool believes(core::PeerId from, const M& message) const;

  void on(Env& env, const Submitted& job);
  void on(Env& env, const Drained& drained);
  void on(Env& env, const locator::Arrived& arrived);
  void on(Env& env, const locator::Ready& ready);
  void on(Env& env, const locator::Quiet& quiet);
  void on(Env& env, core::PeerId from, const wandering::Result& message);
  void on(Env& env, core::PeerId from, const wandering::Noted& message);
  void on(Env& env, core::PeerId from, const Over& message);
  void on(Env& env, core::PeerId from, const wandering::Heard& message);
  void on(Env& env, const wandering::MoveDue& due);
  void on(Env& env, const wandering::BeginDue& due);
  void on(Env& env, const wandering::CallOffDue& due);
  void on(Env& env, const wandering::RepeatDue& due);
  void on(Env& env, const DivideDue& due) { server_.on(env, due); }
  void on(Env& env, const core::WorkDone& done);

  // All state that the further behaviour depends on, besides timers and works.
  template <class StateDump>
  void dump_state(StateDump& dump) const {
    std::vector<TaskId> begun;
    for (const auto& [task, resident] : server_.residents()) begun.push_back(task);
    dump.tell("begun", begun);
    dump.tell("staying", staying_);
    dump.tell("calling off", calling_off_);
    dump.tell("finished", finished_);
    dump.tell("unnoted", unnoted_);
    dump.tell("unaware", unaware_);
    dump.tell("over", over_);
    dump.tell("resting", resting_);
    dump.tell("repeating", repeating_);
  }

 private:
  [[nodiscard]] bool is_source() const { return self_ == world_.source; }
  // Whether messages may be lost, so that answers are wanted.
  [[nodiscard]] bool repeats() const { return options_.locator.repeat > core::Duration{0}; }
  // A task that is here, and has not begun.
  [[nodiscard]] const locator::Resident* waiting(TaskId task) const;
  [[nodiscard]] core::Duration draw(Env& env) const;
  [[nodiscard]] std::vector<core::PeerId> draw_destinations(Env& env) const;
  void stay(Env& env, const locator::Resident& resident);
  void ready(Env& env, TaskId task);
  void quit(Env& env, TaskId task);
  void begin(Env& env, TaskId task);
  void expect(Env& env);
  void rest(Env& env);

  const core::PeerId self_;
  const wandering::Options& options_;
  const World& world_;
  const locator::Locator& locator_;
  Server server_;
  // Timers that may end the stay of a task that still moves.
  std::map<TaskId, std::vector<core::TimerId>> staying_;
  std::map<TaskId, core::TimerId> calling_off_;
  std::set<TaskId> finished_;  // tasks done elsewhere, as the source has heard
  // Results that the source has not noted, and peers that have not acknowledged the end, with the
  // rounds since each was sent.
  std::map<TaskId, std::uint32_t> unnoted_;
  std::map<core::PeerId, std::uint32_t> unaware_;
  bool over_ = false;
  bool resting_ = false;
  core::TimerId repeating_{};
};

}  // namespace rhizome::agents
