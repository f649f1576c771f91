// The messages of the scheduler wander, besides those of its locators.
#pragma once

#include <cstdint>

#include "agents/division.hpp"
#include "agents/facts.hpp"
#include "agents/locator/service.hpp"
#include "agents/task.hpp"
#include "core/peer/env.hpp"
#include "core/peer/ids.hpp"
#include "core/peer/message.hpp"

namespace rhizome::agents::wandering {

using core::Cause;
using core::MessageClass;
using core::PeerId;

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
// From the source: the run is over.
struct Over {
  static constexpr core::MessageInfo info{"over", MessageClass::information, Cause::termination};
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
