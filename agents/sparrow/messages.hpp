// The messages of the Sparrow family (Ousterhout, Wendell, Zaharia and Stoica, SOSP 2013; the
// course report on Sparrow over Cyclon and Gradient for propagation and failures).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "agents/division.hpp"
#include "agents/facts.hpp"
#include "agents/farewell.hpp"
#include "agents/resources.hpp"
#include "agents/sparrow/facts.hpp"
#include "agents/task.hpp"
#include "core/peer/env.hpp"
#include "core/peer/ids.hpp"
#include "core/peer/message.hpp"

namespace rhizome::agents::sparrow {

inline constexpr std::string_view service_name = "sparrow";

// Which of its subject's walks this is, and how many hops it has made, in one number, which is a
// byte on the wire for the first few: number · (hop limit + 1) + hops. See Walks.
struct Step {
  std::uint64_t value = 0;
};

// The number of a placeholder at its worker, which includes the worker's life.
constexpr std::uint64_t placeholder(std::uint32_t life, std::uint64_t number) {
  return (std::uint64_t{life} << 40U) + number;
}
constexpr std::uint32_t life_of(std::uint64_t placeholder) {
  return static_cast<std::uint32_t>(placeholder >> 40U);
}

// A walk in search of a place for a task.
struct Probe {
  static constexpr core::MessageInfo info{"probe", MessageClass::information, Cause::probe};
  TaskId task;
  Resources needs;
  PeerId master;
  Step step;
  // The values by which a discipline orders tasks: the estimated duration, and the level. They are
  // sent only if peers have such a discipline.
  core::Duration told{0};
  std::uint32_t level = 0;

  void write(core::Writer& out) const {
    const bool ordered = told > core::Duration::zero() || level > 0;
    core::write_first(out, ordered ? 6 : 4, task, needs, master, step, told, level);
  }
  [[nodiscard]] bool read(core::Reader& in) {
    return core::read_first(in, {4, 6}, task, needs, master, step, told, level);
  }
};
// The sender has a placeholder for the task in its queue.
struct Deposited {
  static constexpr core::MessageInfo info{"deposited", MessageClass::information, Cause::probe};
  TaskId task;
  std::uint64_t placeholder;
};
// The sender has reserved room for a task of the placeholder.
struct Ready {
  static constexpr core::MessageInfo info{"ready", MessageClass::information, Cause::probe};
  TaskId task;
  std::uint64_t placeholder;
};
struct Assign {
  static constexpr core::MessageInfo info{"assign", MessageClass::job, Cause::work};
  std::uint64_t placeholder;
  Task task;
};
struct Cancel {
  static constexpr core::MessageInfo info{"cancel", MessageClass::information, Cause::probe};
  std::uint64_t placeholder;
};
struct Completed {
  static constexpr core::MessageInfo info{"completed", MessageClass::result, Cause::completion};
  Product task;
};

// Early binding: how loaded is a peer that is large enough, and a task for its queue.
struct Query {
  static constexpr core::MessageInfo info{"query", MessageClass::information, Cause::probe};
  std::uint32_t sampling;
  Resources needs;
  PeerId master;
  Step step;
};
struct Load {
  static constexpr core::MessageInfo info{"load", MessageClass::information, Cause::probe};
  std::uint32_t sampling;
  std::uint32_t life;      // of the sender
  double utility;          // the more, the less loaded
  Resources size;          // all that the peer has
  std::uint64_t walk = 0;  // of the sampling's walks, the one that is answered
};
struct Place {
  static constexpr core::MessageInfo info{"place", MessageClass::job, Cause::work};
  Task task;
};

// Tasks and placeholders that have been out for long: those that the receiver does not know were
// lost on the way, or with a former life of its.
struct Audit {
  static constexpr core::MessageInfo info{"audit", MessageClass::information, Cause::recovery};
  std::vector<TaskId> tasks;
  std::vector<std::uint64_t> placeholders;
};
// What the sender does not know of these, or has dropped as a former life's of the receiver.
struct Unknown {
  static constexpr core::MessageInfo info{"unknown", MessageClass::information, Cause::recovery};
  std::vector<TaskId> tasks;
  std::vector<std::uint64_t> placeholders;
  [[nodiscard]] bool empty() const { return tasks.empty() && placeholders.empty(); }
};

// A master to the source: this task is done. Repeated until it is noted.
struct Report {
  static constexpr core::MessageInfo info{"report", MessageClass::result, Cause::completion};
  TaskId task;
  PeerId executor;
};
struct Noted {
  static constexpr core::MessageInfo info{"noted", MessageClass::information, Cause::completion};
  TaskId task;
};
// The source tells a master that these tasks are now its own, because their former master is dead.
// It repeats the order until it is answered. It numbers its orders, because a network may bring a
// former order after a later one.
struct Adopt {
  static constexpr core::MessageInfo info{"adopt", MessageClass::job, Cause::recovery};
  std::vector<Task> tasks;
  std::uint64_t order = 0;
  [[nodiscard]] std::size_t units() const { return tasks.size(); }
};
struct Adopted {
  static constexpr core::MessageInfo info{"adopted", MessageClass::information, Cause::recovery};
  std::vector<TaskId> tasks;
  std::uint64_t order = 0;  // the order that the master obeys
};
// The source to a master that it had taken for dead: these tasks are with others now.
struct Disown {
  static constexpr core::MessageInfo info{"disown", MessageClass::information, Cause::recovery};
  std::vector<TaskId> tasks;
  std::uint64_t order = 0;
};
// A peer that begins a later life to the source: is the run over?
struct Hello {
  static constexpr core::MessageInfo info{"hello", MessageClass::information, Cause::join};
  std::uint32_t life;
};
// The answer: the run is not over, and the peer is known.
struct Welcome {
  static constexpr core::MessageInfo info{"welcome", MessageClass::information, Cause::join};
};
// A leader to a worker: serve the group of this job, and no other master.
struct CallUp {
  static constexpr core::MessageInfo info{"call-up", MessageClass::information, Cause::join};
  std::uint32_t job;
};
struct Enlisted {
  static constexpr core::MessageInfo info{"enlisted", MessageClass::information, Cause::join};
  std::uint32_t job;
  std::uint32_t life;  // of the sender
  Resources room;      // all that it has
  double speed;
};
// The sender serves another group.
struct Declined {
  static constexpr core::MessageInfo info{"declined", MessageClass::information, Cause::join};
  std::uint32_t job;
};
// The group is needed no more.
struct Dismiss {
  static constexpr core::MessageInfo info{"dismiss", MessageClass::information, Cause::join};
  std::uint32_t job;
};
using Messages = core::OneOf<Probe, Deposited, Ready, Assign, Cancel, Completed, Query, Load, Place,
                             Audit, Unknown, Report, Noted, Adopt, Adopted, Disown, Hello, Welcome,
                             Over, OverToo, CallUp, Enlisted, Declined, Dismiss>;

struct ProbeDue {
  TaskId task;
};
struct AuditDue {};
struct SampleDue {
  std::uint32_t sampling;
};
struct ReportDue {};
struct ReadyDue {
  std::uint64_t placeholder;
};
struct AdoptDue {};
struct HelloDue {};
struct GroupDue {
  std::uint32_t job;
};
struct PostDue {};
using Timers = core::OneOf<ProbeDue, AuditDue, SampleDue, ReportDue, ReadyDue, AdoptDue, OverDue,
                           HelloDue, GroupDue, PostDue, DivideDue>;

using Facts = core::Joined<WorkFacts, core::OneOf<TaskReissued, RunFailed>, OwnFacts>;

using Env = core::Env<Messages, Timers, Facts>;

}  // namespace rhizome::agents::sparrow
