// Whether tasks of graphs waited for those that they need, and sources for what they count as done.
#include <algorithm>
#include <map>
#include <set>

#include "agents/program/facts.hpp"
#include "scenarios/outcome/findings.hpp"
#include "scenarios/outcome/replay.hpp"

namespace rhizome::scenarios {

namespace {

using agents::TaskId;

// When each task was executed first.
std::map<TaskId, Time> ends_of(const Outcome& outcome) {
  std::map<TaskId, Time> ends;
  for (const auto& noted : outcome.facts.of<agents::TaskExecuted>())
    ends.emplace(noted.fact.task, noted.at);
  return ends;
}

const TaskOutcome* task_called(const Outcome& outcome, TaskId id) {
  const auto task =
      std::lower_bound(outcome.tasks.begin(), outcome.tasks.end(), id,
                       [](const TaskOutcome& each, TaskId sought) { return each.id < sought; });
  return task != outcome.tasks.end() && task->id == id ? &*task : nullptr;
}

}  // namespace

// A fault excuses that a task is executed again, and never that it counts without having been. But
// an operation of a client is over, too, when no answer came in time. The
// clocks of processes may differ by more than a message takes between them.
void check_executed(const Outcome& outcome, Findings& findings) {
  std::set<TaskId> unanswered;
  for (const auto& noted : outcome.facts.of<agents::program::OperationUnanswered>())
    unanswered.insert(noted.fact.operation);
  const std::map<TaskId, Time> ends = ends_of(outcome);
  for (const TaskOutcome& task : outcome.tasks) {
    if (!task.completed || unanswered.contains(task.id)) continue;
    const auto end = ends.find(task.id);
    const bool later = end != ends.end() && outcome.passages.empty() &&
                       end->second > task.completed_at + lag_of(outcome);
    if (task.executions > 0 && !later) continue;
    findings.add("tasks-are-executed", task.executor, task.completed_at, [&] {
      return name_of(task.id) + " completed and had not been executed" +
             trail_of(task.id, findings);
    });
  }
}

// Not judged where processes have clocks of their own, either.
void check_precedence(const Outcome& outcome, Findings& findings) {
  if (outcome.needs.empty() || !outcome.passages.empty()) return;
  const std::map<TaskId, Time> ends = ends_of(outcome);
  for (const NeedOutcome& need : outcome.needs) {
    const TaskId needed{need.job, need.needs};
    const TaskOutcome* task = task_called(outcome, {need.job, need.portion});
    if (task == nullptr || task->starts == 0) continue;
    const auto end = ends.find(needed);
    if (end != ends.end() && end->second <= task->started_at + lag_of(outcome)) continue;
    findings.add("precedence", task->executor, task->started_at, [&] {
      return name_of(task->id) + " began before " + name_of(needed) + ", which it needs, was done" +
             trail_of(task->id, findings) + trail_of(needed, findings);
    });
  }
}

}  // namespace rhizome::scenarios
