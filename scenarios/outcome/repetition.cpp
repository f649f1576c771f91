// Whether tasks ran, were delivered or counted more often than they should have been.
#include <cstdint>
#include <map>

#include "agents/facts.hpp"
#include "scenarios/outcome/findings.hpp"

namespace rhizome::scenarios {

namespace {

// Why a task that was delivered more than once should not have been; nothing if it may.
const char* repetition_fault(const TaskOutcome& task, bool sound, bool at_least_once) {
  if (task.completions > 1) return " completed more than once";
  const std::uint32_t allowed = at_least_once ? 1 + task.reissues : 1;
  if (!sound || task.duplicates < allowed) return nullptr;
  return at_least_once ? " was delivered more often than it was handed out, without a fault"
                       : " was delivered more than once without a fault";
}

// A source that takes a second result of a task for the first one counts a job wrongly, with or
// without faults. A repeated result that the source knows to be one is right after a crash, a loss,
// a second assignment of the task, or threads that were too late.
void check_completions(const Outcome& outcome, Findings& findings) {
  const bool sound = faultless(outcome) && !too_late(outcome) && !congested(outcome);
  for (const TaskOutcome& task : outcome.tasks)
    if (const char* what = repetition_fault(task, sound, outcome.at_least_once))
      findings.add("completes-once", task.executor, task.completed_at,
                   [&] { return name_of(task.id) + what + trail_of(task.id, findings); });
}

// How often each task was taken from a worker by the scheduler itself, to make room for others.
std::map<agents::TaskId, std::uint32_t> preemptions(const Outcome& outcome) {
  std::map<agents::TaskId, std::uint32_t> counted;
  for (const auto& noted : outcome.facts.of<agents::TaskReissued>())
    if (noted.fact.reason == "preempted") ++counted[noted.fact.task];
  return counted;
}

// A slow task is not lost: without a fault there is no reason to run a task again. A task that its
// scheduler preempts begins once more, and still ends once.
void check_executions(const Outcome& outcome, Findings& findings) {
  const bool late = !outcome.stalls.empty() || outcome.validity.level != Validity::Level::valid;
  if (!faultless(outcome) || late || !outcome.cuts.empty()) return;
  const auto taken = preemptions(outcome);
  for (const TaskOutcome& task : outcome.tasks) {
    const auto found = taken.find(task.id);
    const std::uint32_t starts = 1 + (found == taken.end() ? 0 : found->second);
    const bool once = task.starts >= 1 && task.starts <= starts && task.executions == 1;
    const bool under_way = !task.completed && task.starts <= starts && task.executions <= 1;
    if (once || under_way) continue;
    findings.add("once-without-fault", task.executor, task.completed_at, [&] {
      return name_of(task.id) + " was begun " + std::to_string(task.starts) +
             " times and executed " + std::to_string(task.executions) +
             " times, though nothing was lost and no thread was late" + trail_of(task.id, findings);
    });
  }
}

}  // namespace

void check_repetition(const Outcome& outcome, Findings& findings) {
  check_completions(outcome, findings);
  check_executions(outcome, findings);
}

}  // namespace rhizome::scenarios
