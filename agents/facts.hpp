// The vocabulary of facts about work, trees and groups, which every scheduler shares, so that one
// set of checkers and one outcome serves them all.
#pragma once

#include <string_view>

#include "agents/task.hpp"
#include "core/peer/fact.hpp"

namespace rhizome::agents::facts {

using core::Fact;

// A task reached its source with its job. subject: task.
inline constexpr std::string_view task_submitted = "task-submitted";
// An executor began it. subject: task.
inline constexpr std::string_view task_started = "task-started";
// An executor ended it. subject: task; value: seconds it took.
inline constexpr std::string_view task_executed = "task-executed";
// The source holds its result for the first time. subject: task; other: who executed it.
inline constexpr std::string_view task_completed = "task-completed";
// The source was given its result once more. subject: task; other: who executed it.
inline constexpr std::string_view task_duplicate = "task-duplicate";
// Somebody handed it out again because its result was overdue. subject: task; other: the peer that
// had it; reason.
inline constexpr std::string_view task_reissued = "task-reissued";
// All results of a job are at its source. subject: job.
inline constexpr std::string_view job_completed = "job-completed";
// The peer's parent in a tree changed. subject: root of the tree; other: the new parent, nobody
// when it left the tree; value: the former parent or -1; reason: join, promotion, eviction,
// recovery, cycle, departure, termination.
inline constexpr std::string_view parent_changed = "parent-changed";
// The peer belongs to another group. other: its leader (itself when it leads), nobody when to none;
// reason.
inline constexpr std::string_view group_changed = "group-changed";
// A leader's edge to another leader appeared (value 1) or went (value 0). other: that leader.
inline constexpr std::string_view leaders_linked = "leaders-linked";
// The queue or a root gave up the run. reason.
inline constexpr std::string_view run_failed = "run-failed";

[[nodiscard]] constexpr Fact about(std::string_view name, TaskId task,
                                   core::PeerId other = core::nobody,
                                   std::string_view reason = {}) {
  return {.name = name, .subject = subject_of(task), .other = other, .value = 0, .reason = reason};
}

}  // namespace rhizome::agents::facts
